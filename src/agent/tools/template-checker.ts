import type { JsonObject } from '../../protocol/json.ts';

/** Checks a template's text against the schemas of its platform. */
export interface TemplateChecker {
  /** `{valid, platform, resources, problems: [{path, line, message, severity}]}` */
  check(text: string): Promise<JsonObject>;
  close(): Promise<void>;
}
