/** Whatever is asked for, the template passes the schemas of its platform. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { buildTemplate } from '../../../../src/agent/templates/build-template.ts';
import {
  type Part,
  type PartKind,
  partKinds,
  platforms,
  type TemplateRequest,
} from '../../../../src/agent/templates/template-request.ts';
import { TemplateValidator } from '../../../../src/agent/validate/template-validator.ts';
import { systemClock } from '../../../../src/outbound/system/system-runtime.ts';

const validator = new TemplateValidator(systemClock);
afterAll(() => validator.close());

const name = fc.option(fc.constantFrom('orders', 'My-App', 'a1', '9lives', 'x'.repeat(80)), {
  nil: undefined,
});
const details: Readonly<Record<PartKind, fc.Arbitrary<object>>> = {
  vpc: fc.record(
    {
      cidr: fc.constantFrom('10.0.0.0/16', '172.20.0.0/20', '192.168.0.0/22'),
      subnets: fc.integer({ min: 0, max: 9 }),
      nat: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  bucket: fc.constant({}),
  queue: fc.record({ fifo: fc.boolean() }, { requiredKeys: [] }),
  function: fc.record({ runtime: fc.constantFrom('nodejs', 'python') }, { requiredKeys: [] }),
  database: fc.record({ engine: fc.constantFrom('mysql', 'postgres') }, { requiredKeys: [] }),
  'web-server': fc.record({ instances: fc.integer({ min: 0, max: 30 }) }, { requiredKeys: [] }),
};

const request: fc.Arbitrary<TemplateRequest> = fc
  .tuple(fc.constantFrom(...platforms), fc.shuffledSubarray([...partKinds], { minLength: 1 }), name)
  .chain(([platform, kinds, given]) =>
    fc
      .tuple(
        ...kinds.map((kind) =>
          details[kind].map(
            (more) => ({ kind, ...more, ...(given === undefined ? {} : { name: given }) }) as Part,
          ),
        ),
      )
      .map((parts): TemplateRequest => ({ platform, parts })),
  );

describe('a template', () => {
  it.each(platforms.flatMap((platform) => partKinds.map((kind) => [platform, kind] as const)))(
    'for %s with a %s alone is without a fault',
    async (platform, kind) => {
      const text = buildTemplate({ platform, parts: [{ kind } as Part] });

      expect(await validator.validate(text, undefined)).toMatchObject({
        valid: true,
        platform,
        problems: [],
      });
    },
  );

  it('is without a fault for every request', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        const report = await validator.validate(buildTemplate(asked), undefined);

        expect(report).toMatchObject({ valid: true, platform: asked.platform, problems: [] });
      }),
      { numRuns: 60 },
    );
  });

  it.each(['10.0.0.0/8', '10.0.0.0/29', '300.0.0.0/16', 'everything'])(
    'is refused with a plain sentence for the block %s',
    (cidr) => {
      for (const platform of platforms) {
        expect(() => buildTemplate({ platform, parts: [{ kind: 'vpc', cidr }] })).toThrow(RangeError);
      }
    },
  );
});
