/** Syntax of Terraform files: a program named `terraform` is run as a child, whatever it answers. */
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolSetFor } from '../../../src/agent/model/model-tools.ts';
import { createSchemaChecker } from '../../../src/agent/tools/schema-checker.ts';
import { findTerraform } from '../../../src/agent/tools/terraform.ts';
import { ToolBox } from '../../../src/agent/tools/tool-box.ts';
import { systemClock, systemIds } from '../../../src/outbound/system/system-runtime.ts';
import { temporaryFolder } from '../../support/servers.ts';

/** Formats by taking doubled blanks out, complains about `{` without `}`, and tells what it was started with. */
const program = `#!${process.execPath}
let text = '';
process.stdin.on('data', (piece) => { text += piece; }).on('end', () => {
  if (text.includes('hang')) return setInterval(() => undefined, 1000);
  if (text.includes('silent')) process.exit(3);
  const names = Object.keys(process.env).sort().join();
  if (text.includes('tell')) {
    process.stderr.write([process.argv.slice(2).join(' '), names].join('|'));
    process.exit(2);
  }
  if (text.includes('{') && !text.includes('}')) {
    process.stderr.write('Error: Unclosed configuration block');
    process.exit(2);
  }
  process.stdout.write(text.replace(/  +/g, ' '));
});
`;

async function checker() {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'terraform'), program, { mode: 0o755 });
  const found = await findTerraform(['relative', '/nowhere', folder].join(delimiter));
  if (found === undefined) throw new Error('the program was not found');
  return { found, folder };
}
const never = (): AbortSignal => new AbortController().signal;

describe('the check of Terraform files', () => {
  it('says what is wrong with the syntax, and whether the file is formatted', async () => {
    const { found } = await checker();

    expect(await found.check('a = {}\n', never())).toEqual({
      valid: true,
      isFormatted: true,
      checked: 'syntax',
      problems: [],
    });
    expect(await found.check('a  = {}\n', never())).toMatchObject({ valid: true, isFormatted: false });
    expect(await found.check('a = {', never())).toMatchObject({
      valid: false,
      problems: ['Error: Unclosed configuration block'],
    });
  });

  it('parses only, and gives the program nothing of this process’s environment', async () => {
    const { found } = await checker();

    const { problems } = await found.check('tell', never());

    const [told] = Object(problems);
    expect(told).toBe('fmt -no-color -|CHECKPOINT_DISABLE,TF_CLI_CONFIG_FILE,TF_IN_AUTOMATION');
  });

  it('is given up with its turn, and fails where the program says nothing', async () => {
    const { found } = await checker();
    const turn = new AbortController();
    const hanging = found.check('hang', turn.signal);
    turn.abort(new Error('cancelled'));

    await expect(hanging).rejects.toThrow();
    await expect(found.check('silent', never())).rejects.toThrow('no answer');
  });

  it('is a tool only where there is a program, and only of Terraform files inside the workspace', async () => {
    const { found, folder } = await checker();
    const cwd = join(folder, 'w');
    await mkdir(cwd);
    await writeFile(join(folder, 'out.tf'), 'canary {');
    await writeFile(join(cwd, 'main.tf'), 'a = {');
    const without = new ToolBox(systemIds, createSchemaChecker(systemClock));
    const tools = new ToolBox(systemIds, createSchemaChecker(systemClock), found);
    const call = (path: string, box = tools) => box.call('check_terraform', { path }, cwd, never());

    expect(await findTerraform('/nowhere')).toBeUndefined();
    expect(await call('main.tf', without)).toMatchObject({
      ok: false,
      problem: 'there is no tool check_terraform',
    });
    expect(await call('main.tf')).toMatchObject({ ok: true, result: { path: 'main.tf', valid: false } });
    expect(await call('../out.tf')).toMatchObject({ ok: false });
    expect(await call('main.yaml')).toMatchObject({ ok: false });
    expect(toolSetFor({ clientTools: [], state: {} }, true)).toHaveProperty('check_terraform');
    expect(toolSetFor({ clientTools: [], state: {} }, false)).not.toHaveProperty('check_terraform');
    await Promise.all([tools.close(), without.close()]);
  });
});
