import type { ReactNode } from 'react';

const HEADINGS = { 1: 'h1', 2: 'h2', 3: 'h3' } as const;

interface CardProps {
  title?: ReactNode;
  subtitle?: ReactNode;
  /** At the end of the title's line: a badge or a menu. */
  badge?: ReactNode;
  /** Below the body, set off by a hairline. */
  actions?: ReactNode;
  headingLevel?: 1 | 2 | 3;
  /** A tail number is set like a placard. */
  isTailNumber?: boolean;
  children?: ReactNode;
}

/**
 * A panel with a heading, a body and a row of actions.
 * `<Card title="N512FL" placard headingLevel={2} subtitle="Cessna 172S" aside={<StatusBadge …/>} actions={…}>…</Card>`
 */
export function Card({
  title,
  subtitle,
  badge: aside,
  actions,
  headingLevel = 2,
  isTailNumber: placard,
  children,
}: CardProps) {
  const Heading = HEADINGS[headingLevel];
  const titled = title !== undefined || aside !== undefined;
  return (
    <section className="card">
      {titled && (
        <div className="card-header">
          <div>
            {title !== undefined && (
              <Heading className={placard ? 'tail-number' : undefined} tabIndex={headingLevel === 1 ? -1 : undefined}>
                {title}
              </Heading>
            )}
            {subtitle && <p className="subtitle">{subtitle}</p>}
          </div>
          {aside}
        </div>
      )}
      {children}
      {actions && <div className="card-footer actions">{actions}</div>}
    </section>
  );
}
