/** A front door on a free port, with runtimes that run the scripted container unless they say otherwise. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type DoorInput, readDoorConfig } from '../../src/frontdoor/door-config.ts';
import { type FrontDoor, openFrontDoor } from '../../src/frontdoor/front-door.ts';
import type { Script } from './scripted-container.ts';
import type { WhenDone } from './servers.ts';

export const arn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/agent-AbCdEf';
export const aws = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI' };
export const identity = { name: 'dev', ...aws };

export type RuntimeInput = Partial<DoorInput['runtimes'][number]>;

const container = join(import.meta.dirname, 'scripted-container.ts');

type Line = Readonly<Record<string, unknown>> & { readonly event: string };

export interface TestDoor extends FrontDoor {
  readonly log: readonly Line[];
  /** Resolves with the first such line, of this session if one is named; also one that is there already. */
  seen(event: string, session?: string): Promise<Line>;
  /** Resolves when a container has written this. */
  said(text: string): Promise<Line>;
}

export function runtimeInput(more: RuntimeInput = {}, script: Script = {}): DoorInput['runtimes'][number] {
  return {
    arn,
    command: [process.execPath, container, '{port}'],
    ...more,
    environment: { SCRIPT: JSON.stringify(script), ...more.environment },
    ping: { everySeconds: 0.05, ...more.ping },
  };
}

export async function startDoor(
  runtimes: DoorInput['runtimes'] = [runtimeInput()],
  more: Partial<DoorInput> = {},
  whenDone: WhenDone = onTestFinished,
): Promise<TestDoor> {
  const log: Line[] = [];
  const waiting: { fits: (line: Line) => boolean; resolve: (line: Line) => void }[] = [];
  const config = readDoorConfig(
    { port: 0, identities: [identity], ...more, runtimes },
    { folder: import.meta.dirname, environment: process.env },
  );
  const door = await openFrontDoor(config, (event, fields = {}) => {
    const line = { event, ...fields };
    log.push(line);
    for (const wait of waiting) if (wait.fits(line)) wait.resolve(line);
  });
  whenDone(() => door.stop());
  const first = async (fits: (line: Line) => boolean): Promise<Line> =>
    log.find(fits) ?? new Promise((resolve) => waiting.push({ fits, resolve }));
  return {
    ...door,
    log,
    seen: (event, session) =>
      first((line) => line.event === event && (session === undefined || line['sessionId'] === session)),
    said: (text) => first((line) => line.event === 'container-output' && String(line['text']).includes(text)),
  };
}
