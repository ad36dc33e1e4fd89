import type { ReactNode } from 'react';

interface CardProps {
  title?: ReactNode;
  subtitle?: ReactNode;
  badge?: ReactNode;
  actions?: ReactNode;
  headingLevel?: 2 | 3;
  isTailNumber?: boolean;
  id?: string;
  children?: ReactNode;
}

export function Card({ title, subtitle, badge, actions, headingLevel = 2, isTailNumber, id, children }: CardProps) {
  const Heading = `h${headingLevel}` as const;
  return (
    <section className="card" id={id}>
      {title !== undefined && (
        <div className="card-header">
          <div>
            <Heading className={isTailNumber ? 'tail-number' : undefined}>{title}</Heading>
            {subtitle && <p className="subtitle">{subtitle}</p>}
          </div>
          {badge}
        </div>
      )}
      {children}
      {actions && <div className="card-footer actions">{actions}</div>}
    </section>
  );
}
