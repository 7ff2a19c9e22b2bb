/** Whole conversations with the offline author, on a real workspace and with the real validator. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createOfflineAgent } from '../../../src/agent/create-agent.ts';
import type { EmbeddedAgent } from '../../../src/agent/embedded-agent.ts';
import { VolatileMemory } from '../../../src/agent/memory.ts';
import { systemClock, systemIds } from '../../../src/outbound/system/system-runtime.ts';
import { isJsonObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/protocol/json.ts';
import { parseRunInput } from '../../../src/protocol/run-input.ts';
import { recordingLog, temporaryFolder } from '../../support/servers.ts';

const runtime = { clock: systemClock, ids: systemIds, log: recordingLog([]) };
const memory = new VolatileMemory();
const agent = createOfflineAgent(runtime, memory);
afterAll(() => agent.close());

interface Answer {
  readonly text: string;
  /** `write_file vpc.yaml`, `write_file vpc.yaml failed`. */
  readonly calls: readonly string[];
  readonly state: string;
}

interface SayOptions {
  readonly by?: EmbeddedAgent;
  readonly demanded?: string;
  readonly state?: JsonObject;
  readonly context?: readonly JsonObject[];
}

interface Talk {
  readonly cwd: string;
  readonly say: (text: string, options?: SayOptions) => Promise<Answer>;
}

let serial = 0;

async function makeTalk(): Promise<Talk> {
  const cwd = join(await temporaryFolder(), 'w');
  serial += 1;
  const contextId = `context-${serial}`;
  const say: Talk['say'] = async (text, { by = agent, demanded, state = {}, context = [] } = {}) => {
    const parsed = parseRunInput({
      threadId: 't',
      runId: 'r',
      messages: [{ id: 'm', role: 'user', content: text }],
      state,
      tools: [],
      context,
      forwardedProps: demanded === undefined ? {} : { iacCode: { preferredLanguage: demanded } },
    });
    const metadata = { iac_code: { cwd, preferredLanguage: demanded ?? 'en' } };
    const message = { messageId: 'm', role: 'ROLE_USER', contextId, parts: [{ text }], metadata } as const;
    const answer = { text: '', calls: [] as string[], state: '' };
    const input = parsed.ok ? { input: parsed.input } : {};
    const inputs = new Map<string, string>();
    for await (const batch of by.send({ message, ...input }, new AbortController().signal)) {
      for (const frame of batch) {
        const update = objectAt(frame, 'statusUpdate');
        const status = objectAt(update, 'status');
        answer.state = stringAt(status, 'state') ?? answer.state;
        for (const part of listAt(objectAt(status, 'message'), 'parts'))
          answer.text += isJsonObject(part) ? (stringAt(part, 'text') ?? '') : '';
        const tool = objectAt(objectAt(objectAt(update, 'metadata'), 'iac_code'), 'tool');
        const id = stringAt(tool, 'toolUseId') ?? '';
        if (tool?.['status'] === 'input_complete')
          inputs.set(id, `${tool['name']} ${stringAt(objectAt(tool, 'toolInput'), 'path') ?? ''}`.trim());
        if (tool?.['status'] === 'completed') answer.calls.push(inputs.get(id) ?? '');
        if (tool?.['status'] === 'failed') answer.calls.push(`${inputs.get(id)} failed`);
      }
    }
    return answer;
  };
  return { cwd, say };
}

describe('the offline author', () => {
  it.each([
    ['Create a VPC', 'I will write a template'],
    ['Créer un modèle VPC', 'Je vais écrire un modèle'],
    ['Crea un modello VPC', 'Scrivo un modello'],
    ['创建VPC', '编写一个模板'],
    ['Crea una plantilla de VPC con dos subredes', 'Voy a escribir una plantilla'],
    ['Crie um modelo de VPC', 'Vou escrever um modelo'],
    ['Erstelle eine Vorlage für eine VPC', 'Ich schreibe eine Vorlage'],
    ['VPCのテンプレートを作成して', 'テンプレートを書きます'],
  ])('answers %j in its language, with a file that is valid', async (text, words) => {
    const { say, cwd } = await makeTalk();

    const answer = await say(text);

    expect(answer.text).toContain(words);
    expect(answer.calls).toEqual(['write_file vpc.yaml', 'validate_template vpc.yaml']);
    expect(answer.state).toBe('TASK_STATE_COMPLETED');
    expect(await readFile(join(cwd, 'vpc.yaml'), 'utf8')).toContain('AWS::EC2::VPC');
  });

  it('speaks the language that the caller demands, whatever the words', async () => {
    const { say } = await makeTalk();

    expect((await say('Créer un modèle VPC', { demanded: 'de' })).text).toContain('Ich schreibe');
    expect((await say('Créer un modèle VPC', { demanded: 'xx' })).text).toContain('Je vais écrire');
  });

  it.each([
    ['make it 3 subnets', 'PublicSubnet3:'],
    ['with a NAT gateway', 'AWS::EC2::NatGateway'],
    ['change the CIDR to 10.1.0.0/16', '10.1.0.0/16'],
    ['change le bloc en 10.2.0.0/16', '10.2.0.0/16'],
    ['across three availability zones', 'PublicSubnet3:'],
    ['rename it to orders', 'orders'],
    ['rinominalo in ordini', 'ordini'],
    ['add a bucket', 'AWS::S3::Bucket'],
    ['改成三个子网', 'PublicSubnet3:'],
  ])('takes %j for a change of the last template', async (text, content) => {
    const { say, cwd } = await makeTalk();
    await say('Create a VPC');

    const answer = await say(text);

    const file = answer.calls[0]?.replace('write_file ', '') ?? '';
    expect(answer.calls).toEqual([`write_file ${file}`, `validate_template ${file}`]);
    expect(await readFile(join(cwd, file), 'utf8')).toContain(content);
  });

  it('takes parts out again', async () => {
    const { say, cwd } = await makeTalk();
    await say('a VPC with NAT, a bucket and a queue');

    await say('remove the NAT gateway');
    expect(await readFile(join(cwd, 'vpc-bucket-queue.yaml'), 'utf8')).not.toContain('NatGateway');
    expect((await say('remove the bucket')).calls[0]).toBe('write_file vpc-bucket-queue.yaml');
  });

  it('shows, validates and lists what there is, also by its name', async () => {
    const { say } = await makeTalk();
    await say('a bucket');
    await say('Create a queue');

    expect((await say('show the template')).calls).toEqual(['read_file queue.yaml']);
    expect((await say('montre le modèle')).calls).toEqual(['read_file queue.yaml']);
    expect((await say('显示模板')).calls).toEqual(['read_file queue.yaml']);
    expect((await say('show bucket.yaml')).calls).toEqual(['read_file bucket.yaml']);
    expect((await say('validate the template')).calls).toEqual(['validate_template queue.yaml']);
    expect((await say('elenca i file')).calls).toEqual(['list_files']);
  });

  it('writes to the file that is named, and goes on with it', async () => {
    const { say } = await makeTalk();

    expect((await say('Create a VPC in nets/core.yaml')).calls[0]).toBe('write_file nets/core.yaml');
    expect((await say('make it 3 subnets')).calls[0]).toBe('write_file nets/core.yaml');
    expect((await say('show it')).calls).toEqual(['read_file nets/core.yaml']);
    expect((await say('now for ROS')).calls[0]).toBe('write_file vpc.ros.yaml');
  });

  it.each(['../../escape.yaml', '/etc/escape.yaml', 'a/../../escape.yaml'])(
    'says that it can not write to %s, and is there for the next message',
    async (path) => {
      const { say } = await makeTalk();

      const answer = await say(`Create a VPC in ${path}`);

      expect(answer.calls).toEqual([`write_file ${path} failed`]);
      expect(answer.text).toContain('That did not work');
      expect(answer.state).toBe('TASK_STATE_COMPLETED');
      expect((await say('Create a VPC')).calls).toHaveLength(2);
    },
  );

  it.each(['2', 'the second one', 'a bucket', 'bucket'])(
    'understands %j as the answer to what it asked',
    async (text) => {
      const { say } = await makeTalk();
      const asked = await say('I need a template');

      expect(asked.calls).toEqual([]);
      expect(asked.text).toContain('2. a storage bucket');
      expect((await say(text)).calls[0]).toBe('write_file bucket.yaml');
    },
  );

  it('says what it can not do, and how to get an agent that can', async () => {
    const { say } = await makeTalk();

    expect((await say('What is the weather today?')).text).toContain('AGUI_KERNEL_URL');
    expect((await say('Write me a poem about love')).text).toContain('AGUI_KERNEL_URL');
    expect((await say('deploy it')).text).toContain("can't deploy");
    const both = await say('Create a queue and deploy it');
    expect(both.calls).toEqual(['write_file queue.yaml', 'validate_template queue.yaml']);
    expect(both.text).toContain("can't deploy");
  });

  it('leaves the files of others alone, and replaces its own', async () => {
    const { cwd, say } = await makeTalk();
    await mkdir(cwd);
    await writeFile(join(cwd, 'vpc.yaml'), 'the own work of somebody');

    expect((await say('Create a VPC')).calls).toEqual([
      'write_file vpc.yaml',
      'validate_template vpc-2.yaml',
    ]);
    expect((await say('make it 3 subnets')).calls[1]).toBe('validate_template vpc-2.yaml');
    expect((await say('add a bucket')).calls[1]).toBe('validate_template vpc-2.yaml');
    expect(await readFile(join(cwd, 'vpc.yaml'), 'utf8')).toBe('the own work of somebody');
    expect(await readFile(join(cwd, 'vpc-2.yaml'), 'utf8')).toContain('PublicSubnet3:');
  });

  it('takes several numbers for an answer', async () => {
    const { say } = await makeTalk();
    await say('Hello');

    expect((await say('1 and 3')).calls[0]).toBe('write_file vpc-queue.yaml');
  });

  it('writes what is to be deployed, and says who must deploy it', async () => {
    const { say } = await makeTalk();

    const answer = await say('deploy a VPC');

    expect(answer.calls[0]).toBe('write_file vpc.yaml');
    expect(answer.text).toContain("can't deploy");
  });

  it('does not offer to delete the template for a part that is not in it', async () => {
    const { say } = await makeTalk();
    await say('Create a VPC');

    const answer = await say('remove the bucket');

    expect(answer).toMatchObject({ state: 'TASK_STATE_COMPLETED', calls: [] });
    expect((await say('remove the VPC')).state).toBe('TASK_STATE_INPUT_REQUIRED');
  });

  it.each([
    { state: { platform: 'ros' } },
    { context: [{ description: 'Cloud of this project', value: 'Alibaba Cloud' }] },
  ])('takes the platform from the application where nobody says it: %j', async (options) => {
    const { say } = await makeTalk();

    expect((await say('Create a queue', options)).calls[0]).toBe('write_file queue.ros.yaml');
    expect((await say('Create a queue for AWS', options)).calls[0]).toBe('write_file queue.yaml');
  });

  it('says what is wrong with a block of addresses', async () => {
    const { say } = await makeTalk();

    expect((await say('a VPC with CIDR 10.0.0.0/27 and 6 subnets')).text).toContain('no room');
    expect((await say('a VPC in 999.1.1.1/99')).text).toContain('not an IPv4 block');
  });

  it('goes on with the conversation in another process', async () => {
    const { say } = await makeTalk();
    await say('Créer un modèle VPC');
    const later = createOfflineAgent(runtime, memory);

    const answer = await say('3', { by: later });
    const changed = await say('avec 3 sous-réseaux', { by: later });
    await later.close();

    expect(answer.calls).toEqual([]);
    expect(answer.text).toContain('Je sais faire');
    expect(changed.calls[0]).toBe('write_file vpc.yaml');
  });
});
