import { App, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, it } from 'vitest';
import { addStacks } from '../lib/app.ts';
import { scratchFolder } from './support/scratch.ts';
import { variants } from './support/variants.ts';

const app = (): App => {
  const made = new App({ outdir: scratchFolder() });
  addStacks(made, variants['as shipped'], import.meta.dirname);
  return made;
};

describe('the AWS Solutions rules', () => {
  it('end the synthesis for a finding that nobody acknowledged, and name it', () => {
    const spoilt = app();
    new Bucket(spoilt.node.findChild('agui-agent-agent'), 'Open');
    expect(() => spoilt.synth()).toThrow(/AwsSolutions-S1\b/);
  });

  it('let it pass once somebody gave a reason', () => {
    const explained = app();
    const bucket = new Bucket(explained.node.findChild('agui-agent-agent'), 'Open', { enforceSSL: true });
    Validations.of(bucket).acknowledge({ id: 'AwsSolutions-S1', reason: 'A test' });
    expect(() => explained.synth()).not.toThrow();
  });

  it('come with a reason of one sentence for each acknowledgement of ours', () => {
    const reasons = app()
      .node.findAll()
      .flatMap(({ node }) => node.metadata)
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>));
    expect(reasons.length).toBeGreaterThan(5);
    for (const [rule, reason] of reasons) expect(reason.length, rule).toBeGreaterThan(20);
  });
});
