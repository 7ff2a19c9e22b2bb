import { describe, expect, it } from 'vitest';
import { kernelMetadata } from '../../../../src/translate/outgoing/metadata.ts';

const always = { cwd: '/work/a', rosInvocationId: 'inv-1', language: 'fr' };

describe('the metadata of an outgoing message', () => {
  it('says where, for whom and in which language when the request said nothing', () => {
    expect(kernelMetadata({ ...always, props: undefined })).toEqual({
      cwd: '/work/a',
      rosInvocationId: 'inv-1',
      preferredLanguage: 'fr',
      cleanupOnly: false,
    });
  });

  it('spells every option as the kernel does', () => {
    const metadata = kernelMetadata({
      ...always,
      props: {
        schemaVersion: 1,
        rosInvocationId: 'ignored',
        cwd: '/elsewhere',
        model: ' qwen ',
        llmApiKey: 'key',
        thinking: { enabled: true, effort: 'high', budget: 5 },
        userId: 'u',
        channel: 'c',
        candidatePresentation: 'rich',
        runMode: 'pipeline',
        pipelineName: 'selling',
        cleanupOnly: true,
        alibabaCloud: {
          accessKeyId: 'id',
          accessKeySecret: 'secret',
          securityToken: 'sts',
          regionId: 'cn-x',
        },
      },
    });

    expect(metadata).toEqual({
      cwd: '/work/a',
      rosInvocationId: 'inv-1',
      preferredLanguage: 'fr',
      cleanupOnly: true,
      user_id: 'u',
      channel: 'c',
      candidatePresentation: 'rich-v1',
      run_mode: 'pipeline',
      pipeline_name: 'selling',
      iac_code_model: 'qwen',
      iac_code_api_key: 'key',
      thinking: { enabled: true, effort: 'high', budget: 5 },
      alibaba_cloud_access_key_id: 'id',
      alibaba_cloud_access_key_secret: 'secret',
      alibaba_cloud_security_token: 'sts',
      alibaba_cloud_region_id: 'cn-x',
    });
  });

  it('leaves blank models and keys out', () => {
    const props = { schemaVersion: 1, rosInvocationId: 'i', cwd: '/a', model: ' ', llmApiKey: '' } as const;

    expect(Object.keys(kernelMetadata({ ...always, props }))).toEqual([
      'cwd',
      'rosInvocationId',
      'preferredLanguage',
      'cleanupOnly',
    ]);
  });
});
