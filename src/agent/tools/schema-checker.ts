/** The template checker in earnest: a thread of its own asks the schemas. */
import type { Clock } from '../../ports/runtime.ts';
import { TemplateValidator } from '../validate/template-validator.ts';
import type { TemplateChecker } from './template-checker.ts';

export function createSchemaChecker(clock: Clock): TemplateChecker {
  const validator = new TemplateValidator(clock);
  return {
    async check(text, signal) {
      const { valid, platform, resources, problems } = await validator.validate(text, undefined, signal);
      return { valid, platform, resources, problems: problems.map((problem) => ({ ...problem })) };
    },
    close: () => validator.close(),
  };
}
