/**
 * What an agent wrote, as Markdown. No HTML of the agent's, links only to http, https and mail, and pictures as links:
 * nothing is loaded because an agent said so.
 */
import { memo, type ReactNode, useDeferredValue, useMemo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { safeLink } from '../model/links.ts';
import { markdownBlocks } from '../model/markdown-blocks.ts';
import { CodeBlock } from './code-block.tsx';
import { Diagram } from './diagram.tsx';

/** A block that is longer than this and still grows is shown as plain text: parsing it again for each word would freeze. */
const maxGrowingBlock = 6_000;
/** No paragraph, list or table is that long, and its parts could not be drawn one by one. */
const maxBlock = 20_000;

export function Markdown({ text, isOpen }: { readonly text: string; readonly isOpen: boolean }) {
  // Drawn block by block with pauses for the person's own doings, however much came at once.
  const shown = useDeferredValue(text, '');
  const blocks = useMemo(() => markdownBlocks(shown), [shown]);
  const limit = isOpen ? maxGrowingBlock : maxBlock;
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        <Block
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever grow at the end.
          key={index}
          text={block}
          isPlain={block.length > limit && !isFenced(block)}
          isOpen={isOpen && index === blocks.length - 1}
        />
      ))}
    </div>
  );
}

/** Code is parsed in no time, however long it is. */
function isFenced(block: string): boolean {
  return /^ {0,3}(?:`{3}|~{3})/.test(block);
}

interface BlockProps {
  readonly text: string;
  readonly isPlain: boolean;
  readonly isOpen: boolean;
}

const Block = memo(function Block({ text, isPlain, isOpen }: BlockProps) {
  if (isPlain) return <p className="plain">{text}</p>;
  const diagram = isOpen ? undefined : /^```mermaid\n([\s\S]*?)\n```\s*$/.exec(text)?.[1];
  if (diagram !== undefined) return <Diagram source={diagram} />;
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={urlOf} skipHtml={false}>
      {text}
    </ReactMarkdown>
  );
});

const plugins = [remarkGfm];

const urlOf = (address: string): string => safeLink(address) ?? '';

const components: Components = {
  // The page's own title is the only one of the first rank.
  h1: 'h2',
  h2: 'h3',
  h3: 'h4',
  h4: 'h5',
  h5: 'h6',
  a: ({ href, children }) =>
    href === undefined || href === '' ? (
      <span>{children}</span>
    ) : (
      <OutsideLink href={href}>{children}</OutsideLink>
    ),
  img: ({ src, alt }) => {
    const address = typeof src === 'string' && src !== '' ? src : undefined;
    return address === undefined ? (
      <span>{alt}</span>
    ) : (
      <OutsideLink href={address}>{alt || address}</OutsideLink>
    );
  },
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <div className="table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
};

export function OutsideLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
