import type { JsonObject } from '../../protocol/json.ts';

/** Checks a template's text against the schemas of its platform. */
export interface TemplateChecker {
  /** `{valid, platform, resources, problems: [{path, line, message, severity}]}`; rejects with the signal's reason when it is aborted. */
  check(text: string, signal: AbortSignal): Promise<JsonObject>;
  close(): Promise<void>;
}
