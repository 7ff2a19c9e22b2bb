/// <reference types="vite/client" />

/** `@mermaid-js/tiny` brings no types along; what this page uses of it. */
interface Mermaid {
  initialize(settings: Readonly<Record<string, unknown>>): void;
  render(id: string, source: string): Promise<{ readonly svg: string }>;
}

declare namespace globalThis {
  var mermaid: Mermaid;
}
