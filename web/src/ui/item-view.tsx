/** What the agent showed, each kind in its own way. Drawn again only when the item itself is another one. */
import { Brain, ChevronRight, CircleAlert, Info, TriangleAlert, Wrench } from 'lucide-react';
import { memo } from 'react';
import type {
  ActivityItem,
  Item,
  NoticeItem,
  ReasoningItem,
  StackItem,
  StepItem,
  ToolItem,
} from '../model/thread.ts';
import type { TextKey } from '../texts/en.ts';
import { ArtifactView } from './artifact-view.tsx';
import { CandidatesView } from './candidates-view.tsx';
import { useChat } from './chat-context.tsx';
import { CodeBlock } from './code-block.tsx';
import { Markdown } from './markdown.tsx';
import { StateMark } from './state-mark.tsx';

export interface ItemViewProps {
  readonly item: Item;
  /** What a call without a result is: the run goes on, waits for an answer, or has ended without one. */
  readonly unfinished: 'running' | 'waiting' | 'stopped';
}

export const ItemView = memo(function ItemView({ item, unfinished }: ItemViewProps) {
  switch (item.kind) {
    case 'text':
      return <Markdown text={item.text} isOpen={item.isOpen} />;
    case 'reasoning':
      return <ReasoningView item={item} />;
    case 'tool':
      return <ToolView item={item} unfinished={unfinished} />;
    case 'step':
      return <StepView item={item} />;
    case 'candidates':
      return <CandidatesView candidates={item.candidates} />;
    case 'stack':
      return <StackView item={item} />;
    case 'artifact':
      return <ArtifactView item={item} />;
    case 'activity':
      return <ActivityView item={item} />;
    case 'notice':
      return <NoticeView item={item} />;
  }
});

function ReasoningView({ item }: { readonly item: ReasoningItem }) {
  const { t } = useChat();
  return (
    <details className="fold reasoning">
      <summary>
        <ChevronRight className="chevron" aria-hidden />
        <Brain aria-hidden />
        <span>{item.isOpen ? t('reasoning.open') : t('reasoning.done')}</span>
      </summary>
      <div className="fold-body">
        <Markdown text={item.text} isOpen={item.isOpen} />
      </div>
    </details>
  );
}

function ToolView({ item, unfinished }: ItemViewProps & { readonly item: ToolItem }) {
  const { t } = useChat();
  const state = item.result !== undefined ? 'done' : unfinished;
  const { progress } = item;
  return (
    <div className="tool">
      <details className="fold">
        <summary>
          <ChevronRight className="chevron" aria-hidden />
          <Wrench aria-hidden />
          <code className="tool-name">{item.name === '' ? t('tool.unnamed') : item.name}</code>
          <span className="tool-brief">{briefOf(item.args)}</span>
          <StateMark state={state} label={t(`tool.${state}`)} />
        </summary>
        <div className="fold-body">
          <p className="label">{t('tool.arguments')}</p>
          <CodeBlock>
            <code>{pretty(item.args)}</code>
          </CodeBlock>
          {item.result !== undefined && (
            <>
              <p className="label">{t('tool.result')}</p>
              <CodeBlock>
                <code>{pretty(item.result)}</code>
              </CodeBlock>
            </>
          )}
        </div>
      </details>
      {progress !== undefined && state === 'running' && (
        <div className="tool-progress">
          <progress max={1} value={progress.part} aria-label={progress.message ?? item.name} />
          <span>{progress.message}</span>
        </div>
      )}
    </div>
  );
}

function StepView({ item }: { readonly item: StepItem }) {
  const { t } = useChat();
  return (
    <p className="step">
      <StateMark state={item.state} label={t(`step.${item.state}`)} />
      <span>{stepTitle(item.name)}</span>
    </p>
  );
}

function StackView({ item }: { readonly item: StackItem }) {
  const { t } = useChat();
  const percent = item.part === undefined ? undefined : Math.round(item.part * 100);
  return (
    <section className="card stack">
      <header>
        <h2>{t('stack.title', { name: item.name })}</h2>
        <span className="badge">{item.status}</span>
      </header>
      <div className="stack-bar">
        <progress max={1} value={item.part} aria-label={t('stack.title', { name: item.name })} />
        {percent !== undefined && <span>{percent} %</span>}
      </div>
      {item.resources.length > 0 && (
        <details>
          <summary>{t('stack.resources', { count: item.resources.length })}</summary>
          <ul className="resources">
            {item.resources.map(({ name, type, status }) => (
              <li key={`${type} ${name}`}>
                <span>{name}</span>
                <code>{type}</code>
                <span className="hint">{status}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function ActivityView({ item }: { readonly item: ActivityItem }) {
  const { t } = useChat();
  return (
    <details className="fold">
      <summary>
        <ChevronRight className="chevron" aria-hidden />
        <span>{t('activity.title', { type: item.activityType })}</span>
      </summary>
      <div className="fold-body">
        <CodeBlock>
          <code>{JSON.stringify(item.content, undefined, 2)}</code>
        </CodeBlock>
      </div>
    </details>
  );
}

function NoticeView({ item }: { readonly item: NoticeItem }) {
  const { t } = useChat();
  const Icon = item.tone === 'error' ? CircleAlert : item.tone === 'warning' ? TriangleAlert : Info;
  // The reducer makes notes only of the kinds that have a text.
  const title = t(`notice.${item.eventType}` as TextKey);
  return (
    <p className={`notice ${item.tone}`}>
      <Icon aria-hidden />
      <span>
        <strong>{title}</strong>
        {item.text !== '' && <> {item.text}</>}
      </span>
    </p>
  );
}

/** `candidate:sp0:template_generating` → `template generating`. */
function stepTitle(name: string): string {
  const last = name.split(':').at(-1) ?? name;
  return last.replaceAll('_', ' ');
}

/** The first text among the arguments, to recognise the call by. */
function briefOf(args: string): string {
  const [, text = ''] =
    /"(?:path|name|file|command|query|url)"\s*:\s*"((?:[^"\\]|\\.){1,80})/.exec(args) ?? [];
  return text;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    // Not JSON, or not all of it yet.
    return text;
  }
}
