/// <reference types="vite/client" />

/** Brings no types along; what this page uses of it. Sets a global when it is loaded. */
declare module '@mermaid-js/tiny' {
  interface Mermaid {
    initialize(settings: Readonly<Record<string, unknown>>): void;
    render(id: string, source: string): Promise<{ readonly svg: string }>;
  }
  const mermaid: Mermaid;
  export default mermaid;
}
