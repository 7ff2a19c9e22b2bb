import { describe, expect, it } from 'vitest';
import type { InputMessage } from '../../../src/protocol/run-input.ts';
import { kernelMetadata } from '../../../src/translate/outgoing/metadata.ts';
import { userMessage } from '../../../src/translate/outgoing/user-message.ts';

const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(100)]);
const image = (bytes: Buffer, mimeType = 'image/png', metadata?: object) => ({
  type: 'image',
  source: { type: 'data', value: bytes.toString('base64'), mimeType },
  ...(metadata === undefined ? {} : { metadata }),
});
const user = (content: unknown, id = 'm-1') => ({ id, role: 'user', content }) as unknown as InputMessage;
const strict = { strictContent: true };

describe('the message for the kernel', () => {
  it('is the newest one of the user, whatever follows it', () => {
    const history = [
      user('first', 'm-1'),
      user('second', 'm-2'),
      { id: 'm-3', role: 'assistant', content: 'answer' } as InputMessage,
    ];

    expect(userMessage(history, strict).message).toEqual({
      messageId: 'm-2',
      role: 'ROLE_USER',
      parts: [{ text: 'second' }],
    });
  });

  it('keeps text and images in their order, with a safe file name', () => {
    const { message } = userMessage(
      [
        user([
          { type: 'text', text: 'look' },
          image(png, 'IMAGE/PNG', { filename: 'plan.png' }),
          image(png, 'image/png', { filename: '../x' }),
        ]),
      ],
      strict,
    );

    expect(message.parts).toEqual([
      { text: 'look' },
      { raw: png.toString('base64'), filename: 'plan.png', mediaType: 'image/png' },
      { raw: png.toString('base64'), filename: 'agui-image-3', mediaType: 'image/png' },
    ]);
  });

  it('gets an id that every kernel takes', () => {
    expect(userMessage([user('x', 'läuft nicht/so')], strict).message.messageId).toMatch(
      /^agui-[0-9a-f]{64}$/,
    );
  });

  const eightMiB = 8 * 1024 * 1024;
  const sized = (bytes: number) => Buffer.concat([png.subarray(0, 8), Buffer.alloc(bytes - 8)]);

  it('takes an image of exactly 8 MiB', () => {
    expect(userMessage([user([image(sized(eightMiB))])], strict).message.parts).toHaveLength(1);
  });

  it.each([
    ['no user message', [{ id: 'a', role: 'assistant', content: 'x' } as InputMessage], 'message-missing'],
    ['an empty list of parts', [user([])], 'message-missing'],
    [
      'a remote image',
      [user([{ type: 'image', source: { type: 'url', value: 'https://x/y.png' } }])],
      'media-remote',
    ],
    [
      'audio',
      [user([{ type: 'audio', source: { type: 'data', value: 'AAAA', mimeType: 'audio/wav' } }])],
      'content-unsupported',
    ],
    [
      'a document',
      [user([{ type: 'document', source: { type: 'data', value: 'AAAA', mimeType: 'application/pdf' } }])],
      'content-unsupported',
    ],
    ['an image type that no kernel reads', [user([image(png, 'image/bmp')])], 'media-type-not-an-image'],
    [
      'a value that is not base64',
      [
        user([
          {
            type: 'image',
            source: { type: 'data', value: 'data:image/png;base64,AAAA', mimeType: 'image/png' },
          },
        ]),
      ],
      'media-not-base64',
    ],
    [
      'bytes that are another thing',
      [user([image(Buffer.from('<svg onload=alert(1)>'), 'image/png')])],
      'media-undecodable',
    ],
    ['an image over 8 MiB', [user([image(sized(eightMiB + 1))])], 'media-too-large'],
    [
      'images over 10 MiB together',
      [user([image(sized(6 * 1024 * 1024)), image(sized(5 * 1024 * 1024))])],
      'media-too-large-together',
    ],
  ])('is refused for %s', (_what, messages, fault) => {
    expect(() => userMessage(messages, strict)).toThrow(expect.objectContaining({ fault }));
  });

  it('leaves out what can not be used where the door is lenient, and says so', () => {
    const audio = { type: 'audio', source: { type: 'data', value: 'AAAA', mimeType: 'audio/wav' } };

    const { message, skipped } = userMessage([user([audio, { type: 'text', text: 'hear' }])], {
      strictContent: false,
    });

    expect(message.parts).toEqual([{ text: 'hear' }]);
    expect(skipped).toEqual(['audio']);
  });
});

describe('the options for the kernel', () => {
  it('are spelled as iac-code spells them, and only what was said is there', () => {
    const metadata = kernelMetadata({
      cwd: '/w',
      rosInvocationId: 'i',
      language: 'fr',
      props: {
        schemaVersion: 1,
        rosInvocationId: 'i',
        cwd: '/w',
        model: ' m ',
        llmApiKey: 'k',
        thinking: { enabled: true, effort: 'high', budget: 5 },
        userId: 'u',
        channel: 'c',
        candidatePresentation: 'rich',
        runMode: 'pipeline',
        pipelineName: 'selling',
        alibabaCloud: {
          accessKeyId: 'id',
          accessKeySecret: 'secret',
          securityToken: 'token',
          regionId: 'cn',
        },
      },
    });

    expect(metadata).toEqual({
      cwd: '/w',
      rosInvocationId: 'i',
      preferredLanguage: 'fr',
      cleanupOnly: false,
      user_id: 'u',
      channel: 'c',
      candidatePresentation: 'rich-v1',
      run_mode: 'pipeline',
      pipeline_name: 'selling',
      iac_code_model: 'm',
      iac_code_api_key: 'k',
      thinking: { enabled: true, effort: 'high', budget: 5 },
      alibaba_cloud_access_key_id: 'id',
      alibaba_cloud_access_key_secret: 'secret',
      alibaba_cloud_security_token: 'token',
      alibaba_cloud_region_id: 'cn',
    });
    expect(kernelMetadata({ cwd: '/w', rosInvocationId: 'i', language: 'en', props: undefined })).toEqual({
      cwd: '/w',
      rosInvocationId: 'i',
      preferredLanguage: 'en',
      cleanupOnly: false,
    });
  });
});
