/** What a person can set, and how it is kept: as JSON, read with care, and without anything that looks like a secret. */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectAt,
  stringAt,
} from '../../../src/protocol/json.ts';

export interface Settings {
  /** Address of the agent; empty: the server that this page came from. */
  readonly url: string;
  readonly transport: 'ws' | 'sse';
  /** Session of all conversations; empty: one for each. */
  readonly sessionId: string;
  readonly forwardedProps: JsonObject;
  readonly theme: 'system' | 'light' | 'dark';
  /** A language's tag; empty: the browser's. */
  readonly language: string;
}

export const defaultSettings: Settings = {
  url: '',
  transport: 'ws',
  sessionId: '',
  forwardedProps: {},
  theme: 'system',
  language: '',
};

export function readSettings(text: string | null): Settings {
  const kept = parse(text ?? '');
  const { theme, transport } = kept;
  return {
    url: stringAt(kept, 'url') ?? '',
    transport: transport === 'sse' ? 'sse' : 'ws',
    sessionId: stringAt(kept, 'sessionId') ?? '',
    forwardedProps: objectAt(kept, 'forwardedProps') ?? {},
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    language: stringAt(kept, 'language') ?? '',
  };
}

export function writeSettings(settings: Settings): string {
  return JSON.stringify({ ...settings, forwardedProps: withoutSecrets(settings.forwardedProps) });
}

const secretName = /key|secret|token|password|credential|authorization/i;

/** Members with telling names are left out, at any depth: they live as long as the page does. */
export function withoutSecrets(value: JsonObject): JsonObject {
  const strip = (member: JsonValue): JsonValue => {
    if (Array.isArray(member)) return member.map(strip);
    return isJsonObject(member) ? withoutSecrets(member) : member;
  };
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined || secretName.test(name) ? [] : [[name, strip(member)] as const],
    ),
  );
}

/** A JSON object from a text field: empty is `{}`; undefined when it is something else. */
export function parseProps(text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isSessionId(text: string): boolean {
  return text === '' || /^[A-Za-z0-9][A-Za-z0-9_-]{32,255}$/.test(text);
}

/** Empty, or an address that a browser can call. */
export function isAgentUrl(text: string): boolean {
  return text === '' || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    // Nothing was kept, or something else wrote there.
    return {};
  }
}
