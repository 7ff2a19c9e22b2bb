/**
 * The author that an agent of the AI SDK is. It runs its own loop and its own tools; what it streams is shown as it comes.
 * Tools of it that need an approval are not supported and fail the run: the approval would be lost.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/json.ts';
import type { Author, Stage, ToolOutcome } from '../author.ts';
import { toModelFailure } from '../model/model-failure.ts';
import { Talk } from '../model/talk.ts';
import type { SdkAgent } from './own-agent.ts';

export function sdkAuthor(agent: SdkAgent): Author {
  return {
    async perform(turn, stage) {
      const talk = Talk.from(turn.remembered);
      talk.ask(turn.text);
      const result = await agent.stream({ messages: talk.messages, abortSignal: turn.signal });
      for await (const part of result.stream) {
        if (part.type === 'text-delta') await stage.say(part.text);
        else if (part.type === 'reasoning-delta') await stage.think(part.text);
        else if (part.type === 'tool-result')
          await showCall(stage, part.toolName, part.input, { ok: true, result: resultOf(part.output) });
        else if (part.type === 'tool-error')
          await showCall(stage, part.toolName, part.input, { ok: false, problem: 'the tool failed' });
        else if (part.type === 'error') throw toModelFailure(part.error);
        else if (part.type === 'tool-approval-request')
          throw new TypeError('tools that need an approval are not supported in an own agent');
      }
      turn.signal.throwIfAborted();
      talk.append(await result.responseMessages);
      await stage.remember(talk.toJson());
      return 'done';
    },
    goOn: async () => 'done',
  };
}

function showCall(stage: Stage, name: string, input: unknown, outcome: ToolOutcome): Promise<void> {
  return stage.showCall(name, isJsonObject(input) ? input : {}, outcome);
}

function resultOf(output: unknown): JsonObject {
  // Through JSON, as the model gets to see it.
  const value = JSON.parse(JSON.stringify(output ?? null)) as JsonValue;
  return isJsonObject(value) ? value : { result: value };
}
