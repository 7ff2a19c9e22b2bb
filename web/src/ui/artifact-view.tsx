import { Download, ExternalLink, FileText } from 'lucide-react';
import { useEffect, useState } from 'react';
import { previewOf, textOf } from '../model/artifact.ts';
import { safeLink } from '../model/links.ts';
import type { ArtifactItem, ArtifactPart } from '../model/thread.ts';
import { useChat } from './chat-context.tsx';
import { CodeBlock } from './code-block.tsx';
import { DiffView } from './diff-view.tsx';
import { OutsideLink } from './markdown.tsx';
import { bytesOf, saveFile } from './save-file.ts';

/** A file that the agent made: preview, what changed since the last one, download. */
export function ArtifactView({ item }: { readonly item: ArtifactItem }) {
  const { t } = useChat();
  const text = textOf(item);
  const isChanged = item.previous !== undefined && text !== undefined;
  return (
    <section className="card artifact" aria-label={item.name}>
      <header>
        <FileText aria-hidden />
        <h2>{item.name}</h2>
        {item.parts.map((part, index) => (
          <PartAction key={keyOf(index)} part={part} name={part.filename ?? item.name} />
        ))}
      </header>
      {isChanged && (
        <details open>
          <summary>{t('artifact.changes')}</summary>
          <DiffView before={item.previous ?? ''} after={text} />
        </details>
      )}
      {item.parts.map((part, index) => (
        <PartPreview key={keyOf(index)} part={part} name={item.name} />
      ))}
    </section>
  );
}

/** The parts of an artifact have no ids; they only ever grow at the end. */
const keyOf = (index: number): string => `part ${index}`;

interface PartProps {
  readonly part: ArtifactPart;
  readonly name: string;
}

function PartAction({ part, name }: PartProps) {
  const { t } = useChat();
  const link = part.url === undefined ? undefined : safeLink(part.url);
  if (part.text === undefined && part.raw === undefined) {
    return link === undefined ? null : (
      <OutsideLink href={link}>
        <ExternalLink aria-label={t('artifact.open', { name })} />
      </OutsideLink>
    );
  }
  const save = (): void => saveFile(name, part.text ?? bytesOf(part.raw ?? ''), part.mediaType);
  return (
    <button type="button" className="icon" aria-label={t('artifact.download', { name })} onClick={save}>
      <Download aria-hidden />
    </button>
  );
}

function PartPreview({ part, name }: PartProps) {
  const { t } = useChat();
  switch (previewOf(part)) {
    case 'picture':
      return <Picture part={part} name={name} />;
    case 'text':
      return (
        <details>
          <summary>{t('artifact.preview')}</summary>
          <CodeBlock>
            <code>{part.text}</code>
          </CodeBlock>
        </details>
      );
    case 'none':
      return part.raw === undefined ? <p className="hint">{t('artifact.elsewhere')}</p> : null;
  }
}

function Picture({ part, name }: PartProps) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(
      new Blob([part.text ?? bytesOf(part.raw ?? '')], { type: part.mediaType }),
    );
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [part]);
  return url === undefined ? null : <img className="picture" src={url} alt={name} />;
}
