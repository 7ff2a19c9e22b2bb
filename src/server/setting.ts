/** One setting: how it is called, read and shown. */
import type { Reader } from './setting-readers.ts';

export interface Setting<Value> {
  readonly name: string;
  /** Names that iac-code users already have. */
  readonly aliases: readonly string[];
  readonly what: string;
  /** As shown in documents; undefined when there is none. */
  readonly shownDefault: string | undefined;
  readonly isSecret: boolean;
  readonly read: Reader<Value>;
}

export function setting<Value>(
  name: string,
  read: Reader<Value>,
  what: string,
  more: { aliases?: readonly string[]; shownDefault?: string; isSecret?: boolean } = {},
): Setting<Value> {
  return {
    name,
    aliases: more.aliases ?? [],
    what,
    shownDefault: more.shownDefault,
    isSecret: more.isSecret ?? false,
    read,
  };
}
