/**
 * The author that an async generator is. Where it asks it is closed, and called again with the answer: a generator can't be
 * put away until then, and what it wants to find again it keeps as JSON.
 */
import { stringAt } from '../../protocol/json.ts';
import type { Asked, Author, Stage, ToolOutcome, Turn, TurnEnd } from '../author.ts';
import { historyOf, memoryOf, type OpenTurn, openTurnOf, withResults } from './open-turn.ts';
import type { Ask, OwnAgent, OwnAnswer, Piece, Utterance } from './own-agent.ts';

/** One call of the agent: what the turn is about, what was said in it so far, and the answer that it goes on with. */
interface Beginning {
  readonly history: readonly Utterance[];
  readonly text: string;
  readonly said: string;
  readonly answer: OwnAnswer | undefined;
}

export function generatorAuthor(agent: OwnAgent): Author {
  return {
    usesClient: true,
    expects(remembered, results) {
      const open = openTurnOf(remembered);
      return open !== undefined && withResults(open, results).taken > 0;
    },
    async perform(turn, stage) {
      const history = historyOf(turn.remembered);
      const waiting = openTurnOf(turn.remembered);
      if (waiting !== undefined && turn.bringsOnlyResults) {
        const { open, taken } = withResults(waiting, turn.clientResults);
        if (taken > 0) return goOnWithResults(agent, turn, stage, history, open);
      }
      // What waited was walked away from: it is a turn like any other now.
      const before =
        waiting === undefined ? history : [...history, ...utterances(waiting.text, waiting.said)];
      return play(agent, turn, stage, { history: before, text: turn.text, said: '', answer: undefined });
    },
    goOn(turn, stage, asked, outcome) {
      const open = openTurnOf(turn.remembered);
      const { text = '', said = '', keep = null } = open ?? {};
      const answer = answerTo(asked, outcome, keep);
      return play(agent, turn, stage, { history: historyOf(turn.remembered), text, said, answer });
    },
  };
}

/** On when all results are there; else the run ends at once, and the rest stays pending. */
async function goOnWithResults(
  agent: OwnAgent,
  turn: Turn,
  stage: Stage,
  history: readonly Utterance[],
  open: OpenTurn,
): Promise<TurnEnd> {
  const missing = open.calls.filter(({ result }) => result === undefined);
  if (missing.length > 0) {
    await stage.remember(memoryOf(history, open));
    stage.awaitClient(missing.map(({ id }) => id));
    return 'done';
  }
  const results = open.calls.map(({ name, input, result }) => ({
    name,
    input,
    text: result?.text ?? '',
    error: result?.error,
  }));
  const { text, said, keep } = open;
  return play(agent, turn, stage, {
    history,
    text,
    said,
    answer: { kind: 'client-tools', results, keep },
  });
}

async function play(agent: OwnAgent, turn: Turn, stage: Stage, beginning: Beginning): Promise<TurnEnd> {
  const { history, text, answer } = beginning;
  const { cwd, context, state, signal, demandedLanguage, language, clientTools: tools } = turn;
  const own = { text, history, cwd, context, state, signal, tools, answer };
  let said = beginning.said;
  for await (const piece of agent({ ...own, language: demandedLanguage ?? language })) {
    if (typeof piece === 'string') said += piece;
    else if (isAsk(piece)) return wait(piece, turn, stage, { ...beginning, said });
    await show(piece, stage);
  }
  await stage.remember(memoryOf([...history, ...utterances(text, said)]));
  return 'done';
}

function isAsk(piece: Exclude<Piece, string>): piece is Ask {
  return piece.kind === 'question' || piece.kind === 'permission' || piece.kind === 'client-tools';
}

/** Remembered before the client can know of it. */
async function wait(
  ask: Ask,
  turn: Turn,
  stage: Stage,
  { history, text, said }: Beginning,
): Promise<TurnEnd> {
  const open = { text, said, keep: ask.keep ?? null };
  if (ask.kind !== 'client-tools') {
    await stage.remember(memoryOf(history, { ...open, calls: [] }));
    return askedOf(ask);
  }
  refuseUnknown(ask.calls, turn);
  const ids = await stage.showClientCalls(ask.calls);
  const calls = ask.calls.map(({ name, input }, index) => ({ id: ids[index] ?? '', name, input }));
  await stage.remember(memoryOf(history, { ...open, calls }));
  stage.awaitClient(ids);
  return 'done';
}

function refuseUnknown(calls: readonly { readonly name: string }[], { clientTools }: Turn): void {
  if (calls.length === 0) throw new TypeError('client-tools without a call');
  for (const { name } of calls) {
    if (!clientTools.some((tool) => tool.name === name))
      throw new TypeError(`the client of this request has no tool ${name}: see turn.tools`);
  }
}

function askedOf(ask: Exclude<Ask, { kind: 'client-tools' }>): Asked {
  if (ask.kind === 'question') {
    const { prompt, options = [] } = ask;
    const input = { question: prompt, ...(options.length === 0 ? {} : { options }) };
    return { kind: 'question', name: 'ask_user', input, prompt, options };
  }
  const { name, input, prompt, editable } = ask;
  return {
    kind: 'permission',
    name,
    input,
    prompt,
    effect: 'unknown',
    runsItself: true,
    ...(editable === undefined ? {} : { editable }),
  };
}

function answerTo(asked: Asked, outcome: ToolOutcome | undefined, keep: OpenTurn['keep']): OwnAnswer {
  if (asked.kind === 'permission')
    return {
      kind: 'permission',
      isAllowed: outcome !== undefined,
      name: asked.name,
      input: asked.input,
      keep,
    };
  const text = outcome?.ok === true ? (stringAt(outcome.result, 'answer') ?? '') : '';
  return { kind: 'question', text, keep };
}

async function show(piece: Exclude<Piece, Ask>, stage: Stage): Promise<void> {
  if (typeof piece === 'string') return stage.say(piece);
  switch (piece.kind) {
    case 'thinking':
      return stage.think(piece.text);
    case 'tool':
      return stage.showCall(piece.name, piece.input, piece.outcome);
    case 'result':
      return stage.showAllowed(piece.outcome);
    case 'state': {
      const changed = stage.changeState(piece);
      if (!changed.ok) throw new TypeError(`the shared state can't be changed: ${changed.problem}`);
      return;
    }
    case 'file':
      return stage.showArtifact(piece);
  }
}

function utterances(text: string, said: string): readonly Utterance[] {
  return [
    { role: 'user', text },
    { role: 'assistant', text: said },
  ];
}
