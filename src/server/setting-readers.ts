/** How the text of a setting becomes its value. Each throws a `ConfigError` that says what the setting must be. */
import { delimiter, isAbsolute, resolve } from 'node:path';
import { isForwardable } from '../inbound/request-context.ts';
import { ConfigError, shown } from './config-error.ts';

/** `name` is that of the setting, for the error. */
export type Reader<Value> = (text: string, name: string) => Value;

export const text: Reader<string> = (value) => value;
export const folder: Reader<string> = (value, name) => {
  if (value.includes('\0')) throw new ConfigError(`${name} must be a path`);
  return resolve(value);
};

export function whole(min: number, max: number): Reader<number> {
  return (value, name) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${shown(value)}"`);
    }
    return number;
  };
}

export function choice<const Options extends readonly string[]>(
  ...options: Options
): Reader<Options[number]> {
  return (value, name) => {
    const found = options.find((option) => option === value.toLowerCase());
    if (found === undefined)
      throw new ConfigError(`${name} must be one of ${options.join(', ')}, not "${shown(value)}"`);
    return found;
  };
}

export const flag: Reader<boolean> = (value, name) => {
  if (/^(true|1|yes|on)$/i.test(value)) return true;
  if (/^(false|0|no|off)$/i.test(value)) return false;
  throw new ConfigError(`${name} must be true or false, not "${shown(value)}"`);
};

export const folders: Reader<readonly string[]> = (value, name) => {
  const list = value.split(delimiter).filter((each) => each !== '');
  for (const each of list)
    if (!isAbsolute(each)) throw new ConfigError(`${name} must hold absolute paths, not "${shown(each)}"`);
  return list;
};

export const url: Reader<string> = (value, name) => {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new ConfigError(`${name} must be an http or https URL`);
  if (parsed.username !== '' || parsed.password !== '') {
    throw new ConfigError(`${name} must not hold a user name or password; use AGUI_KERNEL_TOKEN`);
  }
  return value;
};

export const forwardableHeaders: Reader<readonly string[]> = (value, name) =>
  value.split(',').map((each) => {
    const header = each.trim().toLowerCase();
    if (!/^[a-z][a-z0-9_-]{0,255}$/.test(header) || !isForwardable(header))
      throw new ConfigError(
        `${name} must hold names of headers that may be passed on, not "${shown(header)}"`,
      );
    return header;
  });

export const origins: Reader<readonly string[]> = (value, name) =>
  value.split(',').map((each) => {
    const origin = each.trim();
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new ConfigError(`${name} must hold origins such as https://example.com, not "${shown(origin)}"`);
    }
    return origin;
  });

export const tableName: Reader<string> = (value, name) => {
  if (!/^[A-Za-z0-9_.-]{3,255}$/.test(value) && !/^arn:aws[a-z-]*:dynamodb:[^/]+:table\/.+$/.test(value)) {
    throw new ConfigError(`${name} must be the name or ARN of a DynamoDB table, not "${shown(value)}"`);
  }
  return value;
};
