import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pythonTool } from './support/python-tool.ts';
import { scratchFolder } from './support/scratch.ts';
import { synthesised } from './support/synthesised.ts';
import { specBreaches, type TemplateJson } from './support/template-spec.ts';
import { variantNames } from './support/variants.ts';

const cfnLint = pythonTool('cfn-lint', 'cfn-lint==1.51.0');

describe.each(variantNames)('templates of a deployment: %s', (name) => {
  it('agree with the resource specification of AWS', async () => {
    for (const file of synthesised(name).files) {
      expect(await specBreaches(JSON.parse(readFileSync(file, 'utf8')) as TemplateJson)).toEqual([]);
    }
  });

  it.skipIf(cfnLint === undefined)('pass cfn-lint', () => {
    // W3005: a dependency written out although a reference implies it; the constructs do that.
    const said = lint(synthesised(name).files.map(withoutNewerProperties));
    expect(said).toEqual({ code: 0, output: '' });
  });
});

describe('the checks themselves', () => {
  it('find an unknown property, a missing one and a wrong value', async () => {
    const breaches = await specBreaches(spoilt());
    expect(breaches.join('\n')).toMatch(/RoleArn is missing/);
    expect(breaches.join('\n')).toMatch(/ProtocolConfiguration: 'AG-UI' is none of/);
    expect(breaches.join('\n')).toMatch(/FileSystems: unknown property/);
  });

  it.skipIf(cfnLint === undefined)('cfn-lint finds the same', () => {
    const file = join(scratchFolder(), 'spoilt.json');
    writeFileSync(file, JSON.stringify(spoilt()));
    expect(lint([file]).code).not.toBe(0);
  });
});

function lint(files: readonly string[]): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(cfnLint ?? '', ['-i', 'W3005', '--', ...files], {
    encoding: 'utf8',
  });
  return { code: status, output: stdout + stderr };
}

/** A copy without what this cfn-lint's schema does not know yet; AWS's own specification, above, does. */
function withoutNewerProperties(file: string): string {
  const copy = join(scratchFolder(), 'template.json');
  writeFileSync(copy, readFileSync(file, 'utf8').replace(/"PlatformVersion": "V2",\s*/, ''));
  return copy;
}

function spoilt(): TemplateJson {
  return {
    Resources: {
      Agent: {
        Type: 'AWS::BedrockAgentCore::Runtime',
        Properties: {
          AgentRuntimeName: 'agent',
          AgentRuntimeArtifact: { ContainerConfiguration: { ContainerUri: 'x' } },
          NetworkConfiguration: { NetworkMode: 'PUBLIC' },
          ProtocolConfiguration: 'AG-UI',
          FileSystems: [],
        },
      },
    },
  };
}
