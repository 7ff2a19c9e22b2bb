/** The thread behind the check: there when it is needed, gone when it is not, and never in the way. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { TemplateValidator, ValidatorFailed } from '../../../../src/agent/validate/template-validator.ts';
import type { Clock } from '../../../../src/ports/runtime.ts';

const bucket = 'Resources: { B: { Type: AWS::S3::Bucket } }';

/** Time that the test lets pass. */
class HeldClock implements Clock {
  readonly timers = new Map<() => void, number>();

  now(): number {
    return 0;
  }

  after(ms: number, callback: () => void): () => void {
    const ring = (): void => callback();
    this.timers.set(ring, ms);
    return () => this.timers.delete(ring);
  }

  pass(): void {
    const due = [...this.timers.keys()];
    this.timers.clear();
    for (const ring of due) ring();
  }
}

function makeValidator(): { readonly clock: HeldClock; readonly validator: TemplateValidator } {
  const clock = new HeldClock();
  const validator = new TemplateValidator(clock, 1234);
  onTestFinished(() => validator.close());
  return { clock, validator };
}

describe('the validator', () => {
  it('lets go of a question whose asker has left, and answers the next', async () => {
    const { validator } = makeValidator();
    const asking = new AbortController();
    const left = validator.validate(bucket, undefined, asking.signal);
    const stays = validator.validate(bucket, undefined);

    asking.abort();

    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    await expect(validator.validate(bucket, undefined, asking.signal)).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(await stays).toMatchObject({ valid: true });
  });

  it('starts its thread with the first question and ends it when nothing more is asked', async () => {
    const { clock, validator } = makeValidator();
    expect(validator.isRunning).toBe(false);

    const report = await validator.validate(bucket, undefined);

    expect(report).toMatchObject({ valid: true, resources: 1 });
    expect([...clock.timers.values()]).toEqual([1234]);
    clock.pass();
    expect(validator.isRunning).toBe(false);
    expect(await validator.validate(bucket, undefined)).toEqual(report);
  });

  it('gives each of several askers their own answer', async () => {
    const { validator } = makeValidator();

    const reports = await Promise.all([
      validator.validate(bucket, undefined),
      validator.validate('Resources: {}', undefined),
      validator.validate(
        "{ ROSTemplateFormatVersion: '2015-09-01', Resources: { V: { Type: ALIYUN::ECS::VPC } } }",
        undefined,
      ),
    ]);

    expect(reports.map(({ valid, platform, resources }) => [valid, platform, resources])).toEqual([
      [true, 'cloudformation', 1],
      [false, 'cloudformation', 0],
      [true, 'ros', 1],
    ]);
  });

  it('leaves the event loop free while it reads the schemas', async () => {
    const { validator } = makeValidator();
    let turns = 0;
    let isDone = false;
    const asking = validator.validate(bucket, undefined).finally(() => {
      isDone = true;
    });

    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }

    await asking;
    expect(turns).toBeGreaterThan(100);
  });

  it('gives up a question that takes too long, and answers the next', async () => {
    const { clock, validator } = makeValidator();
    const asking = validator.validate(bucket, undefined);

    clock.pass();

    await expect(asking).rejects.toThrow(ValidatorFailed);
    expect(await validator.validate(bucket, undefined)).toMatchObject({ valid: true });
  });

  it('rejects what waits when it is closed, leaves no timer, and closes twice', async () => {
    const { clock, validator } = makeValidator();
    const asking = validator.validate(bucket, undefined);
    const rejected = expect(asking).rejects.toThrow(ValidatorFailed);

    await validator.close();
    await validator.close();

    await rejected;
    expect(clock.timers.size).toBe(0);
    expect(validator.isRunning).toBe(false);
  });
});
