import { Check, Copy } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useChat } from './chat-context.tsx';
import { copyText } from './copy-text.ts';

export function CodeBlock({ children }: { readonly children: ReactNode }) {
  const { t } = useChat();
  const code = useRef<HTMLPreElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(code.current?.textContent ?? '');
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre ref={code} tabIndex={0}>
        {children}
      </pre>
      <button
        type="button"
        className="icon code-copy"
        aria-label={t('code.copy')}
        onClick={() => void copy()}
      >
        {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      </button>
    </div>
  );
}
