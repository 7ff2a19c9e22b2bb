/** The author that an async generator is. It never asks: a generator cannot be put away until an answer comes. */
import { isJsonObject, type JsonObject, listAt, stringAt } from '../../protocol/json.ts';
import type { Author, Stage, Turn } from '../author.ts';
import type { OwnAgent, Piece, Utterance } from './own-agent.ts';

const maxUtterances = 100;
const maxCharacters = 200_000;

export function generatorAuthor(agent: OwnAgent): Author {
  return {
    async perform(turn, stage) {
      const history = historyOf(turn.remembered);
      let said = '';
      for await (const piece of agent(ownTurnOf(turn, history))) {
        if (typeof piece === 'string') said += piece;
        await show(piece, stage);
      }
      const newer: Utterance[] = [
        ...history,
        { role: 'user', text: turn.text },
        { role: 'assistant', text: said },
      ];
      await stage.remember({ history: bounded(newer).map((each) => ({ ...each })) });
      return 'done';
    },
    goOn: async () => 'done',
  };
}

function ownTurnOf(turn: Turn, history: readonly Utterance[]) {
  const { text, cwd, context, state, signal, demandedLanguage, language } = turn;
  return { text, history, cwd, context, state, signal, language: demandedLanguage ?? language };
}

async function show(piece: Piece, stage: Stage): Promise<void> {
  if (typeof piece === 'string') return stage.say(piece);
  if (piece.kind === 'thinking') return stage.think(piece.text);
  if (piece.kind === 'tool') return stage.showCall(piece.name, piece.input, piece.outcome);
  return stage.showArtifact(piece);
}

function historyOf(remembered: JsonObject | undefined): readonly Utterance[] {
  return listAt(remembered, 'history')
    .filter(isJsonObject)
    .map((each) => ({
      role: each.role === 'user' ? 'user' : 'assistant',
      text: stringAt(each, 'text') ?? '',
    }));
}

/** The newest turns, whole: a question goes with its answer. */
function bounded(history: readonly Utterance[]): readonly Utterance[] {
  const kept = history.slice(-maxUtterances);
  let characters = kept.reduce((sum, { text }) => sum + text.length, 0);
  while (kept.length > 2 && characters > maxCharacters) {
    characters -= kept.splice(0, 2).reduce((sum, { text }) => sum + text.length, 0);
  }
  return kept;
}
