/**
 * The commands of docs/deploy.md, run in their order in one shell. What would reach an account is a stand-in; each `aws`
 * call is checked against botocore's service models (service, operation, parameters), each npm script must exist, and
 * the parts that need no account are run for real.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pythonTool } from './support/python-tool.ts';
import { scratchFolder } from './support/scratch.ts';
import { type Reply, StandIns, shell } from './support/stand-in.ts';
import { DIGEST } from './support/variants.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const doc = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8');
const blocks = [...doc.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
const ARN = 'arn:aws:bedrock-agentcore:us-east-1:111122223333:runtime/agui_agent-0123456789';

describe('docs/deploy.md', () => {
  let folder: string;
  let standIns: StandIns;
  let ran: Required<Reply>;

  beforeAll(async () => {
    folder = scratchFolder();
    standIns = await StandIns.start(join(folder, 'bin'), ['aws', 'npm', 'npx', 'curl', 'sleep'], answer);
    ran = await shell(`set -eu\n${blocks.join('\n')}`, folder, {
      ...standIns.environment(),
      CALLER: 'somebody',
      DOMAIN: 'my-domain',
    });
  });

  afterAll(() => {
    standIns.close();
    rmSync(folder, { recursive: true });
  });

  let asked = 0;
  function answer(program: string, args: readonly string[]): Reply {
    const line = args.join(' ');
    if (program === 'curl') return { stdout: '{"access_token":"the-token"}' };
    if (program !== 'aws') return {};
    if (line.includes('buildStatus')) return { stdout: `${asked++ < 2 ? 'IN_PROGRESS' : 'SUCCEEDED'}\n` };
    if (line.includes('IMAGE_DIGEST')) return { stdout: `${DIGEST}\n` };
    if (line.includes('RuntimeArn')) return { stdout: `${ARN}\n` };
    return { stdout: 'some-id\n' };
  }

  const calls = (program: string): string[] =>
    standIns.calls.filter((call) => call.startsWith(`${program} `));

  it('runs from the first command to the last', () => {
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
    expect(blocks.length).toBeGreaterThan(8);
  });

  it('waits for the build, deploys its digest and calls the runtime that the stack names', () => {
    expect(calls('sleep')).toHaveLength(2);
    expect(standIns.calls).toContain(
      `npm --prefix infra run deploy:agent -- --require-approval never -c imageDigest=${DIGEST}`,
    );
    expect(standIns.calls).toContain(`npx agentcore-agui invoke --runtime-arn ${ARN} --qualifier prod Hello`);
    expect(standIns.calls).toContain(
      `npx agentcore-agui invoke --runtime-arn ${ARN} --qualifier prod --bearer-token the-token Hello`,
    );
    expect(calls('aws').join('\n')).toContain(
      '/aws/bedrock-agentcore/runtimes/agui_agent-0123456789-DEFAULT',
    );
  });

  it('names npm scripts that exist', () => {
    const scripts = JSON.parse(readFileSync(join(ROOT, 'infra/package.json'), 'utf8')).scripts as object;
    const named = calls('npm').flatMap((call) => /--prefix infra run (\S+)/.exec(call)?.[1] ?? []);
    expect(named.length).toBeGreaterThan(4);
    for (const name of named) expect(scripts).toHaveProperty(name);
  });

  it('shows settings that check accepts', () => {
    const checked = spawnSync(process.execPath, ['bin/check.ts'], {
      cwd: join(ROOT, 'infra'),
      encoding: 'utf8',
    });
    expect({ code: checked.status, said: checked.stderr }).toEqual({ code: 0, said: '' });
  });

  const python = pythonWithBotocore();
  it.skipIf(python === undefined)('calls AWS operations that exist, with parameters that they have', () => {
    const input = JSON.stringify(calls('aws').map((call) => call.split(' ').slice(1)));
    const said = spawnSync(python ?? '', ['-c', CHECK_CALLS], { input, encoding: 'utf8' });
    expect({ code: said.status, output: said.stdout + said.stderr }).toEqual({ code: 0, output: '' });
    const wrong = spawnSync(python ?? '', ['-c', CHECK_CALLS], {
      input: '[["ecr","delete-repository","--repo","x"],["ecr","drop"],["nope","x"]]',
      encoding: 'utf8',
    });
    expect(wrong.stdout.trim().split('\n')).toHaveLength(3);
  });
});

/** A python that has botocore: the one beside moto. */
function pythonWithBotocore(): string | undefined {
  const moto = pythonTool('moto_server', 'moto[server]==5.2.1');
  const candidates = [
    'python3',
    ...(moto?.endsWith('bin/moto_server') ? [moto.replace('moto_server', 'python')] : []),
  ];
  const found = candidates.find((python) => spawnSync(python, ['-c', 'import botocore']).status === 0);
  if (found === undefined)
    console.warn('SKIPPED: no botocore; the aws commands of docs/deploy.md were NOT checked');
  return found;
}

/** Prints one line for each call that the service models do not know. */
const CHECK_CALLS = `
import json, sys
import botocore.session
from botocore import xform_name
session = botocore.session.get_session()
general = {'query', 'output', 'region', 'force'}
for call in json.load(sys.stdin):
    service, operation = call[0], call[1]
    try:
        model = session.get_service_model(service)
    except Exception:
        print('unknown service', service); continue
    names = {xform_name(name, '-'): name for name in model.operation_names}
    if operation not in names:
        print('unknown operation', service, operation); continue
    shape = model.operation_model(names[operation]).input_shape
    known = {xform_name(name, '-') for name in shape.members} | general
    for flag in (word[2:] for word in call[2:] if word.startswith('--')):
        if flag not in known:
            print('unknown parameter', service, operation, flag)
`;
