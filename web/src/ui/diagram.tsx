/**
 * A diagram that an agent sent as Mermaid source: drawn in this page, and shown as a picture, which can neither run
 * scripts nor load anything. The drawing library is only loaded when there is a diagram.
 */
import mermaidUrl from '@mermaid-js/tiny/dist/mermaid.tiny.js?url';
import { useEffect, useId, useState } from 'react';
import { safeDiagram } from '../model/diagram-source.ts';
import { useChat } from './chat-context.tsx';
import { CodeBlock } from './code-block.tsx';

type Drawn = { readonly kind: 'waiting' | 'failed' } | { readonly kind: 'drawn'; readonly url: string };

export function Diagram({ source }: { readonly source: string }) {
  const { t } = useChat();
  const id = useId().replace(/[^A-Za-z0-9]/g, '');
  const [drawn, setDrawn] = useState<Drawn>({ kind: 'waiting' });
  useEffect(() => {
    let url: string | undefined;
    let isGone = false;
    draw(`diagram${id}`, source)
      .then((svg) => {
        if (isGone) return;
        url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
        setDrawn({ kind: 'drawn', url });
      })
      .catch(() => {
        if (!isGone) setDrawn({ kind: 'failed' });
      });
    return () => {
      isGone = true;
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [id, source]);
  return (
    <figure className="diagram">
      {drawn.kind === 'drawn' && <img src={drawn.url} alt={t('diagram.picture')} />}
      {drawn.kind === 'failed' && <p className="hint">{t('diagram.failed')}</p>}
      <details open={drawn.kind === 'failed'}>
        <summary>{t('diagram.source')}</summary>
        <CodeBlock>
          <code>{source}</code>
        </CodeBlock>
      </details>
    </figure>
  );
}

async function draw(id: string, source: string): Promise<string> {
  loading ??= loadMermaid();
  const mermaid = await loading;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    theme: isDark() ? 'dark' : 'neutral',
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: 50_000,
    suppressErrorRendering: true,
  });
  const { svg } = await mermaid.render(id, safeDiagram(source));
  // A picture has no page around it that it could take its size from.
  const box = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/.exec(svg);
  return box === null
    ? svg
    : svg.replace(/<svg ([^>]*?)width="100%"/, `<svg $1width="${box[1]}" height="${box[2]}"`);
}

/** As the page is now: the wish of the person, else that of the system. */
function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
}

let loading: Promise<Mermaid> | undefined;

/** A classic script that sets a global: as a module it would not run. */
function loadMermaid(): Promise<Mermaid> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = mermaidUrl;
    script.onload = () => resolve(globalThis.mermaid);
    script.onerror = () => reject(new TypeError('the drawing library could not be loaded'));
    document.head.append(script);
  });
}
