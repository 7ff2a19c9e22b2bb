/** The direction of imports, as drawn in docs/architecture.md. Type imports count. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const source = join(root, 'src');

/** Room → what it may import besides itself. A longer path is a narrower room; `outbound/*` are rooms of their own. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  errors: [],
  wire: ['protocol', 'errors'],
  domain: ['protocol', 'errors'],
  translate: ['protocol', 'errors'],
  language: ['protocol', 'errors'],
  ports: ['protocol', 'errors', 'domain', 'translate'],
  client: ['wire', 'protocol', 'errors'],
  application: ['ports', 'domain', 'translate', 'protocol', 'errors'],
  agent: ['ports', 'protocol', 'errors'],
  'outbound/files': ['ports', 'domain', 'wire', 'protocol', 'errors', 'agent/memory.ts'],
  'outbound/dynamodb': ['ports', 'domain', 'wire', 'protocol', 'errors'],
  'outbound/memory': ['ports', 'domain', 'wire', 'protocol', 'errors'],
  'outbound/kernel': ['ports', 'domain', 'wire', 'protocol', 'errors'],
  'outbound/identity': ['ports', 'domain', 'wire', 'protocol', 'errors'],
  'outbound/limits': ['ports', 'domain', 'wire', 'protocol', 'errors'],
  'outbound/schema': ['ports', 'domain', 'wire', 'protocol', 'errors'],
  'outbound/telemetry': ['ports', 'domain', 'wire', 'protocol', 'errors'],
  'outbound/system': ['ports', 'domain', 'wire', 'protocol', 'errors'],
  'inbound/stream': inboundFloor(),
  'inbound/http': [...inboundFloor(), 'inbound/stream', 'inbound/'],
  'inbound/ws': [...inboundFloor(), 'inbound/stream', 'inbound/'],
  inbound: [...inboundFloor(), 'inbound/stream'],
  'index.ts': ['server', 'ports', 'agent/own/own-agent.ts'],
  server: [
    'agent',
    'application',
    'inbound/http',
    'inbound/ws',
    'inbound/stream',
    'inbound/',
    'language',
    'outbound/dynamodb',
    'outbound/files',
    'outbound/memory',
    'outbound/kernel',
    'outbound/identity',
    'outbound/limits',
    'outbound/schema',
    'outbound/system',
    'outbound/telemetry',
    'ports',
    'domain',
    'wire',
    'protocol',
    'errors',
  ],
  check: ['client', 'wire', 'protocol', 'errors'],
  frontdoor: ['client', 'wire', 'protocol', 'errors'],
  cli: ['client', 'server', 'check', 'frontdoor', 'wire', 'protocol', 'errors'],
};

function inboundFloor(): string[] {
  return [
    'application/run-service.ts',
    'ports/identity.ts',
    'ports/rate-limit.ts',
    'ports/runtime.ts',
    'ports/telemetry.ts',
    'wire',
    'language',
    'protocol',
    'errors',
  ];
}

interface Arrow {
  readonly from: string;
  readonly to: string;
}

const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(source, join(entry.parentPath, entry.name)));

const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^;]*?from\s*'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s*'([^']+)'/g;

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(source, file), 'utf8');
  return [...text.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

const arrows: readonly Arrow[] = files.flatMap((file) =>
  importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => ({ from: file, to: relative(source, resolve(source, dirname(file), target)) })),
);

/** `inbound/caller.ts` stands in the room `inbound`; `inbound/http/x.ts` in `inbound/http`. */
function roomOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  const narrow = `${first}/${second}`;
  return narrow in mayImport ? narrow : first;
}

function isAllowed({ from, to }: Arrow): boolean {
  const room = roomOf(from);
  const target = roomOf(to);
  if (room === target) return true;
  return (mayImport[room] ?? []).some((allowed) => {
    if (allowed.endsWith('.ts')) return to === allowed;
    // A trailing slash means the files of the room itself, not its inner rooms.
    return allowed.endsWith('/') ? target === allowed.slice(0, -1) : target === allowed;
  });
}

describe('the house', () => {
  it('knows every room that stands in src', () => {
    const unknown = files.map(roomOf).filter((room) => !(room in mayImport) && !room.endsWith('.ts'));

    expect([...new Set(unknown)]).toEqual([]);
  });

  it('lets imports go only in the drawn direction', () => {
    expect(arrows.filter((arrow) => !isAllowed(arrow)).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('has no circle, type imports included', () => {
    expect(findCircle(arrows)).toEqual([]);
  });

  it('keeps each foreign package and global in its own room', () => {
    const rules: readonly { readonly what: RegExp; readonly where: RegExp }[] = [
      { what: /from 'express'/, where: /^inbound\/http\// },
      { what: /from 'ws'/, where: /^(inbound\/ws|client|frontdoor|check)\// },
      { what: /from '@opentelemetry\//, where: /^(outbound\/telemetry\/|server\/telemetry-sdk\.ts$)/ },
      { what: /from 'prom-client'/, where: /^outbound\/telemetry\// },
      { what: /from '@aws-sdk\/client-dynamodb'/, where: /^outbound\/dynamodb\// },
      { what: /from 'pino'/, where: /^outbound\/system\// },
      { what: /from 'ajv/, where: /^outbound\/schema\// },
      { what: /process\.env/, where: /^(server\/config|client\/.*|cli\/.*)\.ts$/ },
      {
        what: /from 'node:fs/,
        where:
          /^(outbound\/files|outbound\/kernel|outbound\/system\/fresh-random\.ts$|server|agent|cli|check|frontdoor)\b/,
      },
      {
        what: /\bDate\.now\(|\brandomUUID\(|\bsetTimeout\(/,
        where: /^(outbound\/system|outbound\/files|outbound\/kernel|client|cli|check|frontdoor)\//,
      },
      { what: /'text\/event-stream'/, where: /^(wire|client|check|frontdoor|outbound\/kernel)\// },
      { what: /\bnew Error\(/, where: /^$/ },
    ];

    const misplaced = rules.flatMap(({ what, where }) =>
      files
        .filter((file) => what.test(readFileSync(join(source, file), 'utf8')) && !where.test(file))
        .map((file) => `${file}: ${what.source}`),
    );

    expect(misplaced).toEqual([]);
  });

  it('keeps files under 300 lines', () => {
    const long = files.filter((file) => readFileSync(join(source, file), 'utf8').split('\n').length > 301);

    expect(long).toEqual([]);
  });

  it('has no silenced check without its reason in the line above', () => {
    const silenced = files.flatMap((file) => {
      const lines = readFileSync(join(source, file), 'utf8').split('\n');
      return lines.flatMap((line, index) => {
        // A biome-ignore brings its reason in the same line.
        const isSilenced = /as unknown as|@ts-|biome-ignore(?! lint\/\S+: .{10})/.test(line);
        return isSilenced && !/^\s*(\/\/|\*|\/\*)/.test(lines[index - 1] ?? '')
          ? [`${file}:${index + 1}`]
          : [];
      });
    });

    expect(silenced).toEqual([]);
  });
});

function findCircle(all: readonly Arrow[]): readonly string[] {
  const targets = Map.groupBy(all, ({ from }) => from);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const { to } of targets.get(file) ?? []) {
      const circle = visit(to, [...path, file]);
      if (circle.length > 0) return circle;
    }
    done.add(file);
    return [];
  };
  for (const { from } of all) {
    const circle = visit(from, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
