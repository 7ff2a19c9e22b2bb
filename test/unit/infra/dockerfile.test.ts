import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const dockerfile = read('Dockerfile.arm64');

describe('Dockerfile.arm64', () => {
  it('has the manifest of every workspace before it installs', () => {
    const { workspaces = [] } = JSON.parse(read('package.json')) as { workspaces?: string[] };
    const beforeInstall = dockerfile.slice(0, dockerfile.indexOf('RUN npm ci'));
    for (const workspace of workspaces)
      expect(beforeInstall).toContain(`COPY ${workspace}/package.json ${workspace}/`);
  });

  it('gets every file that it copies past .dockerignore', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
      sources.split(' '),
    );
    expect(copied.length).toBeGreaterThan(3);
    for (const source of copied.filter((each) => each !== '.')) {
      expect(
        allowed.some((entry) => source === entry || source.startsWith(`${entry}/`)),
        source,
      ).toBe(true);
    }
  });

  it('uses nothing that an engine without BuildKit’s newest syntax lacks', () => {
    expect(dockerfile).not.toMatch(/<<|COPY --link|^# syntax=/m);
  });

  it('starts node itself, as a numeric user, in exec form', () => {
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
    expect(dockerfile).toMatch(/^ENTRYPOINT \[\]$/m);
    expect(dockerfile).toMatch(
      /^CMD \["node", "--import", "\/app\/dist\/telemetry\.js", "\/app\/dist\/main\.js", "serve"\]$/m,
    );
  });
});
