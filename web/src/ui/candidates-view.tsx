import type { Candidate, CostItem } from '../model/thread.ts';
import { useChat } from './chat-context.tsx';
import { Diagram } from './diagram.tsx';
import { StateMark } from './state-mark.tsx';

/** The plans that a pipeline works out side by side. */
export function CandidatesView({ candidates }: { readonly candidates: readonly Candidate[] }) {
  const { t } = useChat();
  return (
    <ul className="plans" aria-label={t('candidates.title')}>
      {candidates.map((candidate) => (
        <li key={candidate.id} className={`card plan ${candidate.state}`}>
          <header>
            <h2>{candidate.name}</h2>
            <StateMark
              state={candidate.state === 'selected' ? 'done' : candidate.state}
              label={t(`candidate.${candidate.state}`)}
            />
          </header>
          {candidate.summary !== undefined && <p>{candidate.summary}</p>}
          <Costs cost={candidate.cost} items={candidate.costItems} />
          {candidate.diagram !== undefined && <Diagram source={candidate.diagram} />}
        </li>
      ))}
    </ul>
  );
}

export function Costs({
  cost,
  items,
}: {
  readonly cost: string | undefined;
  readonly items: readonly CostItem[];
}) {
  const { t } = useChat();
  if (cost === undefined && items.length === 0) return null;
  return (
    <div className="costs">
      {cost !== undefined && <p className="cost">{t('candidate.cost', { cost })}</p>}
      {items.length > 0 && (
        <details>
          <summary>{t('candidate.costs')}</summary>
          <ul>
            {items.map(({ name, spec, monthly }) => (
              <li key={`${name} ${spec}`}>
                <span>
                  {name} {spec !== undefined && <span className="hint">{spec}</span>}
                </span>
                <span>{monthly}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
