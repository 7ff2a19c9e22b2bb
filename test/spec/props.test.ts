/** `forwardedProps.iacCode` on every door: strict, handed on in the kernel's words, and bound to its thread. */
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Conversation, everyDoor, faultOf, lastOf, sentenceOf } from '../support/conversation.ts';
import { ScriptedKernel, turn } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { verifies } from './verifies.ts';

const success = { type: 'RUN_FINISHED', outcome: { type: 'success' } };

describe.each(everyDoor)('by the door %s', (door) => {
  const begin = async (environment = {}) => {
    const kernel = new ScriptedKernel(turn('hello'));
    const talk = new Conversation(await startServer({ replace: { kernel }, environment }), door);
    return { kernel, talk };
  };

  it.each([
    ['an unknown member', { bogus: 1 }],
    ['an unknown member of thinking', { thinking: { enabled: true, bogus: 1 } }],
    ['an unknown member of alibabaCloud', { alibabaCloud: { bogus: 'x' } }],
    ['no schemaVersion', { schemaVersion: undefined }],
    ['another schemaVersion', { schemaVersion: 2 }],
    ['a schemaVersion in words', { schemaVersion: '1' }],
    ['no rosInvocationId', { rosInvocationId: undefined }],
    ['an empty rosInvocationId', { rosInvocationId: '' }],
    ['a rosInvocationId of 257 characters', { rosInvocationId: 'i'.repeat(257) }],
    ['no cwd', { cwd: undefined }],
    ['a relative cwd', { cwd: 'workspace' }],
    ['a home folder to be expanded', { cwd: '~/workspace' }],
    ['a variable to be expanded', { cwd: '$HOME/workspace' }],
    ['a model that is a number', { model: 7 }],
    ['a key that is a number', { llmApiKey: 7 }],
    ['thinking that is a word', { thinking: 'hard' }],
    ['thinking enabled by a word', { thinking: { enabled: 'yes' } }],
    ['a thinking budget of 0', { thinking: { budget: 0 } }],
    ['a thinking budget of 1.5', { thinking: { budget: 1.5 } }],
    ['a userId that is a number', { userId: 7 }],
    ['a channel that is a list', { channel: [] }],
    ['another candidatePresentation', { candidatePresentation: 'poor' }],
    ['another runMode', { runMode: 'fast' }],
    ['a pipelineName that is a number', { pipelineName: 7 }],
    ['cleanupOnly in words', { cleanupOnly: 'true' }],
    ['an accessKeyId that is a number', { alibabaCloud: { accessKeyId: 7 } }],
  ])('an extension with %s is refused, its member named, and nothing runs', async (_what, change) => {
    verifies('props.strict', 'props.schema-version', 'props.ros-invocation-id', 'props.cwd');
    verifies('error.invalid-input');
    const { talk, kernel } = await begin();
    const [member = ''] = Object.keys(change);

    const answer = await talk.sayWith(change);

    expect(faultOf(answer)).toBe('INVALID_INPUT');
    if (door !== 'ws') expect(answer.status).toBe(400);
    if (member !== 'cwd') expect(sentenceOf(answer)).toContain(member);
    expect(kernel.sends).toEqual([]);
    expect(await readdir(talk.server.folder)).toEqual([]);
  });

  it('all that it may hold reaches the kernel with this request, in the kernel’s words', async () => {
    verifies('props.model', 'props.llm-api-key', 'props.thinking', 'props.user-id', 'props.channel');
    verifies('props.candidate-presentation', 'props.run-mode', 'props.pipeline-name', 'props.cleanup-only');
    verifies('props.alibaba-cloud', 'props.ros-invocation-id');
    const { talk, kernel } = await begin();
    const cloud = {
      accessKeyId: 'key-id',
      accessKeySecret: 'key-secret',
      securityToken: 'sts',
      regionId: 'cn-hangzhou',
    };

    const answer = await talk.sayWith({
      rosInvocationId: 'i'.repeat(256),
      model: 'qwen-max',
      llmApiKey: 'llm-key',
      thinking: { enabled: true, effort: 'high', budget: 2048 },
      userId: 'user-1',
      channel: 'console',
      preferredLanguage: 'fr',
      candidatePresentation: 'rich',
      runMode: 'pipeline',
      pipelineName: 'selling',
      cleanupOnly: true,
      alibabaCloud: cloud,
    });

    expect(lastOf(answer)).toMatchObject(success);
    expect(kernel.sends[0]?.message.metadata).toEqual({
      iac_code: {
        cwd: talk.folder,
        rosInvocationId: 'i'.repeat(256),
        preferredLanguage: 'fr',
        cleanupOnly: true,
        user_id: 'user-1',
        channel: 'console',
        candidatePresentation: 'rich-v1',
        run_mode: 'pipeline',
        pipeline_name: 'selling',
        iac_code_model: 'qwen-max',
        iac_code_api_key: 'llm-key',
        thinking: { enabled: true, effort: 'high', budget: 2048 },
        alibaba_cloud_access_key_id: 'key-id',
        alibaba_cloud_access_key_secret: 'key-secret',
        alibaba_cloud_security_token: 'sts',
        alibaba_cloud_region_id: 'cn-hangzhou',
      },
    });
  });

  it('what is not said is not sent: the kernel chooses', async () => {
    verifies('props.run-mode', 'props.model');
    const { talk, kernel } = await begin();

    await talk.sayWith({ candidatePresentation: 'standard' });
    await talk.sayWith({ runMode: 'normal' });

    const sent = kernel.sends.map(({ message }) => Object(message.metadata?.['iac_code']));
    expect(sent[0]).toEqual({
      cwd: talk.folder,
      rosInvocationId: 'invocation-1',
      preferredLanguage: 'en',
      cleanupOnly: false,
      candidatePresentation: 'standard',
    });
    expect(sent[1]).toMatchObject({ run_mode: 'normal' });
  });

  it('credentials are those of their own request: the next one sends none', async () => {
    verifies('props.alibaba-cloud', 'props.llm-api-key');
    const { talk, kernel } = await begin();

    await talk.sayWith({ llmApiKey: 'once', alibabaCloud: { accessKeySecret: 'once', regionId: 'eu' } });
    await talk.say();

    expect(JSON.stringify(kernel.sends[0])).toContain('once');
    expect(JSON.stringify(kernel.sends[1])).not.toMatch(/once|alibaba_cloud|api_key/);
  });

  it.each([
    ['cwd', (folder: string) => ({ cwd: join(folder, 'workspace', 'elsewhere') })],
    ['userId', () => ({ userId: 'somebody else' })],
    ['userId by leaving it out', () => ({ userId: undefined })],
  ])('a thread can not be moved to another %s', async (_what, change) => {
    verifies('props.thread-binding', 'props.user-id', 'error.thread-binding-conflict');
    const { talk, kernel } = await begin();
    await talk.sayWith({ userId: 'user-1' });

    const moved = await talk.sayWith({ userId: 'user-1', ...change(talk.server.folder) });
    const stayed = await talk.sayWith({ userId: 'user-1' });

    expect(faultOf(moved)).toBe('THREAD_BINDING_CONFLICT');
    if (door !== 'ws') expect(moved.status).toBe(door === 'iac-code' ? 409 : 403);
    expect(lastOf(stayed)).toMatchObject(success);
    expect(kernel.sends).toHaveLength(2);
  });
});

describe.each(everyDoor)('a workspace by the door %s', (door) => {
  /** A server that allows one root only, with things in and beside it. */
  const begin = async () => {
    const kernel = new ScriptedKernel(turn('hello'));
    const first = await startServer({ replace: { kernel } });
    const root = join(first.folder, 'root');
    const outside = join(first.folder, 'outside');
    await mkdir(root);
    await mkdir(outside);
    await writeFile(join(root, 'file'), '');
    await symlink(outside, join(root, 'link-out'));
    await mkdir(join(root, 'inner'));
    await symlink(join(root, 'inner'), join(root, 'link-in'));
    const environment = { AGUI_ALLOWED_CWDS: root };
    const server = await startServer({ replace: { kernel }, folder: first.folder, environment });
    return { kernel, talk: new Conversation(server, door), root, outside };
  };

  it.each([
    ['outside of the roots', '/outside', /outside|allowed/],
    ['that leaves them by ..', '/root/../outside', /outside|allowed/],
    ['that leaves them by a link', '/root/link-out/new', /outside|allowed/],
    ['beside a root of the same beginning', '/root-2', /outside|allowed/],
    ['that is a file', '/root/file', /folder|directory/],
    ['below a file', '/root/file/new', /folder|directory/],
    ['with a NUL', '/root/\0', /./],
  ])('%s is refused with its cause, and nothing is created', async (_what, path, cause) => {
    verifies('props.cwd-roots', 'error.invalid-input');
    const { talk, kernel, root, outside } = await begin();
    const before = [await readdir(talk.server.folder), await readdir(root), await readdir(outside)];

    const answer = await talk.sayWith({ cwd: talk.server.folder + path });

    expect(faultOf(answer)).toBe('INVALID_INPUT');
    expect(sentenceOf(answer)).toMatch(cause);
    expect(kernel.sends).toEqual([]);
    expect([await readdir(talk.server.folder), await readdir(root), await readdir(outside)]).toEqual(before);
  });

  it('under a root is created for an admitted request, and reaches the kernel with its links resolved', async () => {
    verifies('props.cwd', 'props.cwd-roots');
    const { talk, kernel, root } = await begin();

    const made = await talk.sayWith({ cwd: join(root, 'new', 'deeper') });
    const linked = await new Conversation(talk.server, door).sayWith({ cwd: join(root, 'link-in', 'x') });

    expect([lastOf(made), lastOf(linked)]).toMatchObject([success, success]);
    expect(await readdir(join(root, 'new'))).toEqual(['deeper']);
    expect(kernel.sends.map(({ message }) => Object(message.metadata?.['iac_code'])['cwd'])).toEqual([
      join(root, 'new', 'deeper'),
      join(root, 'inner', 'x'),
    ]);
  });

  it('is not created for a request that is refused for another reason', async () => {
    verifies('props.thread-binding');
    const { talk, root } = await begin();
    await talk.sayWith({ cwd: join(root, 'first') });

    await talk.sayWith({ cwd: join(root, 'second') });

    expect(await readdir(root)).not.toContain('second');
    expect(await readdir(root)).toContain('first');
  });
});
