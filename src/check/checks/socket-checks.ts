/** `/ws`: the upgrade, one run over it, several, and a message that is wrong. */
import { failed, passed, type Severity, skipped, source, type Verdict, type WireCheck } from '../check.ts';
import { isTerminal } from '../exchange.ts';
import type { Lab } from '../lab.ts';
import type { NoSocket, SocketRun } from '../sockets.ts';
import { describeTalk, eventsOfFrame, eventsOfFrames, type Frame, type WireTalk } from '../talk.ts';

const section = source.contract('Path requirements, /ws');
const quotas = source.platform('quotas');
/** The WebSocket page says 32 KB, the page of quotas 64 KB. */
const safeFrameBytes = 32 * 1024;
const maxFramesPerSecond = 250;

export const socketChecks: readonly WireCheck[] = [
  {
    id: 'ws.path',
    sentence: '/ws upgrades to a WebSocket',
    source: section,
    severity: 'error',
    on: 'ws',
    prove: async (lab) => {
      const run = await lab.sockets.run();
      return run.kind === 'talked'
        ? passed
        : failed('the upgrade was refused', { sent: 'GET /ws with Upgrade: websocket', seen: run.why });
    },
  },
  onRun(
    'ws.conversation',
    'error',
    'A client and the agent talk in real time, with the same events as by POST',
    section,
    proveConversation,
  ),
  onRun(
    'ws.framing',
    'warning',
    'Each text frame is one event as JSON',
    source.agui('custom transports'),
    (run) => {
      const isSse = run.talk.frames.some((frame) => eventsOfFrame(frame).isSse);
      if (isSse) return unlike('the frames hold SSE text, which only some clients read', run);
      const foreign = run.talk.frames.find((frame) => eventsOfFrame(frame).events.length !== 1);
      return foreign === undefined ? passed : unlike('a frame is no event', run);
    },
  ),
  onRun('ws.frame-size', 'warning', 'A frame has at most 32 KB', quotas, (run) => {
    const largest = Math.max(0, ...run.talk.frames.map(({ text }) => Buffer.byteLength(text)));
    return largest <= safeFrameBytes ? passed : unlike(`a frame has ${largest} bytes`, run);
  }),
  onRun('ws.frame-rate', 'error', 'A connection carries at most 250 frames in a second', quotas, (run) => {
    const most = mostInASecond(run.talk.frames);
    return most <= maxFramesPerSecond ? passed : unlike(`there were ${most} frames in one second`, run);
  }),
  afterRun('ws.multi-turn', 'Several turns run over one connection that stays open', async (lab) => {
    const turns = await lab.sockets.twoTurns();
    if (turns.kind === 'refused')
      return failed('a second socket was refused', { sent: 'GET /ws', seen: turns.why });
    return turns.ends[1]
      ? passed
      : unlike('the second turn on the same connection did not come to its end', turns);
  }),
  afterRun(
    'ws.bad-message',
    'A message that is wrong is told as RUN_ERROR and leaves the connection usable',
    async (lab) => {
      const bad = await lab.sockets.afterBadFrame();
      if (bad.kind === 'refused')
        return failed('a second socket was refused', { sent: 'GET /ws', seen: bad.why });
      if (!bad.isTold) return unlike('it is not told as RUN_ERROR', bad);
      return bad.ends[1] ? passed : unlike('the connection can’t be used after it', bad);
    },
  ),
];

function onRun(
  id: string,
  severity: Severity,
  sentence: string,
  from: string,
  judge: (run: SocketRun) => Verdict,
): WireCheck {
  const prove = async (lab: Lab): Promise<Verdict> => {
    const run = await lab.sockets.run();
    if (run.kind === 'refused') return skipped('there is no socket');
    const isAboutRun = id === 'ws.conversation';
    return isAboutRun || run.talk.frames.length > 0 ? judge(run) : skipped('no frame came');
  };
  return { id, severity, sentence, source: from, on: 'ws', prove };
}

/** What the contract names as a use of the socket: that it works at all comes first. */
function afterRun(id: string, sentence: string, prove: (lab: Lab) => Promise<Verdict>): WireCheck {
  return {
    id,
    sentence,
    source: section,
    severity: 'warning',
    on: 'ws',
    prove: async (lab) =>
      hasTalked(await lab.sockets.run()) ? prove(lab) : skipped('no run came to its end over /ws'),
  };
}

function hasTalked(run: SocketRun | NoSocket): boolean {
  return run.kind === 'talked' && run.hasEnded;
}

function proveConversation(run: SocketRun): Verdict {
  if (run.talk.problem !== undefined) return unlike(run.talk.problem, run);
  const events = eventsOfFrames(run.talk.frames);
  if (events.length === 0) return unlike('no event came', run);
  const [first] = events;
  const last = events.findLast(isTerminal);
  if (!run.hasEnded || last === undefined) return unlike('the run did not come to its end', run);
  if (last.type === 'RUN_ERROR') return unlike('a lawful input ends in RUN_ERROR', run);
  if (first?.type !== 'RUN_STARTED') return unlike(`${first?.type ?? 'nothing'} comes first`, run);
  const isOwn = [first, last].every(
    (event) => event['threadId'] === run.threadId && event['runId'] === run.runId,
  );
  return isOwn ? passed : unlike('the run has other ids than the request', run);
}

function mostInASecond(frames: readonly Frame[]): number {
  let most = 0;
  let oldest = 0;
  for (const [index, { at }] of frames.entries()) {
    while (at - (frames[oldest]?.at ?? at) > 1_000) oldest += 1;
    most = Math.max(most, index - oldest + 1);
  }
  return most;
}

function unlike(why: string, { sent, talk }: { readonly sent: string; readonly talk: WireTalk }): Verdict {
  return failed(why, { sent, seen: describeTalk(talk) });
}
