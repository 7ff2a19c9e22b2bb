/** Wrong templates are found out, with the place; hostile text costs the asker an answer and nobody else anything. */
import { afterAll, describe, expect, it } from 'vitest';
import type { Report } from '../../../../src/agent/validate/report.ts';
import { TemplateValidator } from '../../../../src/agent/validate/template-validator.ts';
import { systemClock } from '../../../../src/outbound/system/system-runtime.ts';

const validator = new TemplateValidator(systemClock);
afterAll(() => validator.close());

const check = (text: string): Promise<Report> => validator.validate(text, undefined);
const resources = (...lines: string[]): string =>
  ['Resources:', ...lines.map((line) => `  ${line}`)].join('\n');
const rosHead = "ROSTemplateFormatVersion: '2015-09-01'\n";

interface Wrong {
  readonly title: string;
  readonly text: string;
  readonly path: string;
  readonly line: number;
  readonly says: RegExp;
}

const wrong: readonly Wrong[] = [
  {
    title: 'an unknown resource type, with the nearest one',
    text: resources('Store:', '  Type: AWS::S3::Buckett'),
    path: 'Resources.Store.Type',
    line: 3,
    says: /AWS::S3::Buckett.*did you mean AWS::S3::Bucket\?/,
  },
  {
    title: 'a resource type that has no service',
    text: resources('Store:', '  Type: Bucket'),
    path: 'Resources.Store.Type',
    line: 3,
    says: /unknown resource type Bucket/,
  },
  {
    title: 'a misspelled property',
    text: resources('Store:', '  Type: AWS::S3::Bucket', '  Properties:', '    BucketNam: logs'),
    path: 'Resources.Store.Properties.BucketNam',
    line: 5,
    says: /did you mean BucketName\?/,
  },
  {
    title: 'a missing required property, deep inside a list',
    text: resources(
      'Db:',
      '  Type: AWS::EC2::SecurityGroup',
      '  Properties:',
      '    GroupDescription: all',
      '    SecurityGroupIngress:',
      '      - CidrIp: 10.0.0.0/8',
    ),
    path: 'Resources.Db.Properties.SecurityGroupIngress[0].IpProtocol',
    line: 7,
    says: /required/,
  },
  {
    title: 'a value outside its enumeration',
    text: resources(
      'Store:',
      '  Type: AWS::S3::Bucket',
      '  Properties: {VersioningConfiguration: {Status: On}}',
    ),
    path: 'Resources.Store.Properties.VersioningConfiguration.Status',
    line: 4,
    says: /"On" is not one of Enabled, Suspended/,
  },
  {
    title: 'a Ref to nothing',
    text: resources('Store:', '  Type: AWS::S3::Bucket', '  Properties: {BucketName: !Ref Name}'),
    path: 'Resources.Store.Properties.BucketName',
    line: 4,
    says: /nothing is called Name/,
  },
  {
    title: 'a GetAtt of an attribute that the type lacks',
    text: resources(
      'Store: {Type: AWS::S3::Bucket}',
      'Copy: {Type: AWS::S3::Bucket, Properties: {BucketName: !GetAtt Store.Arm}}',
    ),
    path: 'Resources.Copy.Properties.BucketName',
    line: 3,
    says: /no attribute Arm/,
  },
  {
    title: 'a name in a Sub that nothing has',
    text: resources(`Store: {Type: AWS::S3::Bucket, Properties: {BucketName: !Sub 'a-\${Stage}'}}`),
    path: 'Resources.Store.Properties.BucketName',
    line: 2,
    says: /nothing is called Stage/,
  },
  { title: 'text that is not YAML', text: 'Resources:\n  a: [', path: '', line: 2, says: /not valid YAML/ },
  { title: 'a list', text: '- a\n- b', path: '', line: 1, says: /not a map of sections/ },
  { title: 'an empty text', text: '', path: '', line: 1, says: /not a map of sections/ },
  {
    title: 'an unknown section',
    text: `${resources('Store: {Type: AWS::S3::Bucket}')}\nOutput: {}`,
    path: 'Output',
    line: 3,
    says: /did you mean Outputs\?/,
  },
  {
    title: 'a missing required property of ROS',
    text: rosHead + resources('Store: {Type: ALIYUN::OSS::Bucket, Properties: {AccessControl: private}}'),
    path: 'Resources.Store.Properties.BucketName',
    line: 3,
    says: /required/,
  },
  {
    title: 'a value outside its enumeration of ROS',
    text:
      rosHead +
      resources('Store: {Type: ALIYUN::OSS::Bucket, Properties: {BucketName: logs, AccessControl: secret}}'),
    path: 'Resources.Store.Properties.AccessControl',
    line: 3,
    says: /is not one of private/,
  },
];

describe('the template validator', () => {
  it.each(wrong)('finds $title', async ({ text, path, line, says }) => {
    const report = await check(text);

    expect(report.valid).toBe(false);
    expect(report.problems).toContainEqual({
      severity: 'error',
      path,
      line,
      message: expect.stringMatching(says),
    });
  });

  it('accepts a template in JSON', async () => {
    const text = JSON.stringify({ Resources: { Store: { Type: 'AWS::S3::Bucket' } } });

    expect(await check(text)).toEqual({
      valid: true,
      platform: 'cloudformation',
      resources: 1,
      problems: [],
    });
  });

  it('takes function calls in short and in long form', async () => {
    const text = resources(
      `A: {Type: AWS::S3::Bucket, Properties: {BucketName: !Sub "\${AWS::StackName}-a"}}`,
      `B: {Type: AWS::S3::Bucket, Properties: {BucketName: {"Fn::Sub": "\${AWS::StackName}-b"}}}`,
    );

    expect((await check(text)).problems).toEqual([]);
  });
});

describe('hostile text', () => {
  const names = [...'abcdefghij'];
  const bomb = names
    .map((name, index) => `${name}: &${name} [${Array(9).fill(index === 0 ? 'x' : `*${names[index - 1]}`)}]`)
    .concat('Resources: *j')
    .join('\n');

  it.each([
    ['aliases that multiply', bomb],
    ['an alias to what holds it', 'Resources: &a\n  X: *a'],
    ['lists nested a hundred thousand deep', `Resources: ${'['.repeat(100_000)}`],
    ['maps nested twenty thousand deep', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
    ['more than a mebibyte', `Description: ${'x'.repeat(1_048_577)}`],
  ])('is refused with a reason: %s', async (_title, text) => {
    const { valid, problems } = await check(text);

    expect(valid).toBe(false);
    expect(problems.length).toBeGreaterThan(0);
  });

  it('can not make the look for names in a Sub take for ever', async () => {
    const text = resources(
      `Store: {Type: AWS::S3::Bucket, Properties: {BucketName: !Sub "${'${'.repeat(200_000)}"}}`,
    );

    expect((await check(text)).resources).toBe(1);
  });
});

describe('the thread of the validator', () => {
  it('leaves the event loop free while the schemas are read and a template is checked', async () => {
    const fresh = new TemplateValidator(systemClock);
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    await fresh.validate(resources('Store: {Type: AWS::S3::Bucket}'), undefined);
    isDone = true;
    await fresh.close();

    // Reading the schema on this thread would leave a handful.
    expect(turns).toBeGreaterThan(100);
  });

  it('rejects what waits when it is closed, and starts again for the next question', async () => {
    const own = new TemplateValidator(systemClock);
    const waiting = own.validate(resources('Store: {Type: AWS::S3::Bucket}'), undefined);
    const closed = expect(waiting).rejects.toThrow('the validator was closed');
    await own.close();
    await closed;

    expect(own.isRunning).toBe(false);
    expect((await own.validate(resources('Store: {Type: AWS::S3::Bucket}'), undefined)).valid).toBe(true);
    await own.close();
  });

  it('ends when a question takes too long, and says so, however many come after it', async () => {
    const alarms: (() => void)[] = [];
    const own = new TemplateValidator({
      now: () => 0,
      after: (_ms, callback) => {
        alarms.push(callback);
        return () => undefined;
      },
    });
    const first = own.validate(resources('A: {Type: AWS::S3::Bucket}'), undefined);
    const second = own.validate(resources('B: {Type: AWS::S3::Bucket}'), undefined);
    const outcomes = Promise.allSettled([first, second]);

    expect(alarms).toHaveLength(1);
    alarms[0]?.();
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringContaining('longer than 20 s') },
      });
    expect(own.isRunning).toBe(false);
  });
});
