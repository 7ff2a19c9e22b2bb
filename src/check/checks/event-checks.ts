/** What every stream of events has to be, whichever way it came: lawful events, in a lawful order, with one end. */
import { failed, passed, type Severity, skipped, source, type Verdict, type WireCheck } from '../check.ts';
import { isKnown, orderBreach, schemaBreach } from '../event-rules.ts';
import { eventsOf, isTerminal, type TypedEvent } from '../exchange.ts';
import type { Lab } from '../lab.ts';
import { eventsOfFrames } from '../talk.ts';

type Way = 'http' | 'ws';

interface Stream {
  readonly events: readonly TypedEvent[];
  readonly sent: string;
}

interface Rule {
  readonly what: string;
  readonly sentence: string;
  readonly source: string;
  readonly severity: Severity;
  judge(stream: Stream): Verdict | Promise<Verdict>;
}

const rules: readonly Rule[] = [
  {
    what: 'schema',
    sentence: 'Every event is as the AG-UI schema says',
    source: source.agui('events'),
    severity: 'error',
    judge: ({ events, sent }) => {
      const breach = schemaBreach(events);
      return breach === undefined ? passed : failed(breach.why, { sent, seen: JSON.stringify(breach.event) });
    },
  },
  {
    what: 'known-types',
    sentence: 'Only event types of the protocol are sent',
    source: source.agui('events'),
    severity: 'warning',
    judge: ({ events, sent }) => {
      const foreign = events.find((event) => !isKnown(event));
      if (foreign === undefined) return passed;
      return failed(`clients drop ${foreign.type}, and older ones die of it`, {
        sent,
        seen: JSON.stringify(foreign),
      });
    },
  },
  {
    what: 'order',
    sentence: 'The order of events is one that AG-UI clients take',
    source: source.agui('sequence rules'),
    severity: 'error',
    judge: async ({ events, sent }) => {
      const why = await orderBreach(upToEnd(events));
      return why === undefined ? passed : failed(why, { sent, seen: typesOf(events) });
    },
  },
  {
    what: 'one-terminal',
    sentence: 'A run has exactly one terminal event, RUN_FINISHED or RUN_ERROR, and nothing behind it',
    source: source.agui('sequence rules'),
    severity: 'error',
    judge: ({ events, sent }) => {
      const count = events.filter(isTerminal).length;
      if (count === 0) return skipped('there is no terminal event at all');
      if (count === 1 && upToEnd(events).length === events.length) return passed;
      const why = count === 1 ? 'events come behind the terminal one' : `there are ${count} terminal events`;
      return failed(why, { sent, seen: typesOf(events) });
    },
  },
];

export const eventChecks: readonly WireCheck[] = [...checksFor('http'), ...checksFor('ws')];

function checksFor(on: Way): readonly WireCheck[] {
  return rules.map(({ what, judge, ...rule }) => ({
    ...rule,
    id: on === 'http' ? `events.${what}` : `ws.events-${what}`,
    on,
    prove: async (lab) => {
      const stream = on === 'http' ? await overHttp(lab) : await overSocket(lab);
      return stream.events.length === 0 ? skipped('the example gave no events') : judge(stream);
    },
  }));
}

async function overHttp(lab: Lab): Promise<Stream> {
  const { exchange } = await lab.example();
  return { events: eventsOf(exchange), sent: exchange.sent };
}

async function overSocket(lab: Lab): Promise<Stream> {
  const run = await lab.sockets.run();
  return run.kind === 'refused'
    ? { events: [], sent: '' }
    : { events: eventsOfFrames(run.talk.frames), sent: run.sent };
}

/** What comes behind the end is another rule's matter. */
function upToEnd(events: readonly TypedEvent[]): readonly TypedEvent[] {
  const end = events.findIndex(isTerminal);
  return end === -1 ? events : events.slice(0, end + 1);
}

function typesOf(events: readonly TypedEvent[]): string {
  const names = events.map(({ type }) => type);
  const shown = names.length > 40 ? [...names.slice(0, 20), '…', ...names.slice(-20)] : names;
  return shown.join(' ');
}
