/** What the doctor found out about one part of the installation. */

/** `skip`: could not be looked at, and says nothing. */
export type State = 'ok' | 'warn' | 'fail' | 'skip';

export interface Finding {
  readonly name: string;
  readonly state: State;
  /** One sentence, without a secret. */
  readonly what: string;
  /** What to do about it. */
  readonly remedy?: string;
  readonly ms?: number;
}

export interface SettingValue {
  readonly name: string;
  /** As it is used; undefined when it has none. Secrets are masked. */
  readonly value: string | undefined;
  /** The variable or flag that it comes from, or `default`. */
  readonly source: string;
}

export interface DoctorReport {
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly versions: Readonly<Record<string, string>>;
  readonly settings: readonly SettingValue[];
  readonly findings: readonly Finding[];
}

/** The message of whatever was thrown, on one line, with its innermost reason. */
export function reasonOf(thrown: unknown): string {
  const reasons: string[] = [];
  for (let each = thrown; each instanceof Error && reasons.length < 4; each = each.cause) {
    const code = 'code' in each && typeof each.code === 'string' ? each.code : '';
    const text = each.message || each.name;
    reasons.push(code === '' || text.includes(code) ? text : `${text} (${code})`);
  }
  return (reasons.length === 0 ? String(thrown) : reasons.join(': ')).replace(/\s+/g, ' ').slice(0, 300);
}
