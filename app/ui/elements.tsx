import { Children, type ComponentProps, type ReactNode } from 'react';
import { Link } from './link.tsx';

/** Lays out one column on a phone, two on a wide screen. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className="columns">{children}</div>;
}

/** A responsive grid of cards: each child becomes a list item. */
export function CardList({ children }: { children: ReactNode }) {
  return (
    <ul className="card-list">
      {Children.map(children, (child) => (
        <li>{child}</li>
      ))}
    </ul>
  );
}

export function Stack({ children }: { children: ReactNode }) {
  return <div className="stack">{children}</div>;
}

export function Actions({ children }: { children: ReactNode }) {
  return <div className="actions">{children}</div>;
}

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

interface NoticeProps {
  tone: 'caution' | 'info' | 'danger';
  action?: ReactNode;
  children: ReactNode;
}

export function Notice({ tone, action, children }: NoticeProps) {
  return (
    <div className="notice" data-tone={tone}>
      <div>{children}</div>
      {action}
    </div>
  );
}

export function EmptyState({ text, action }: { text: string; action?: ReactNode }) {
  return (
    <div className="empty-state">
      <p>{text}</p>
      {action}
    </div>
  );
}

export interface DescriptionItem {
  term: string;
  /** Null leaves the item out. */
  detail: ReactNode;
  isLong?: boolean;
}

export function DescriptionList({ items }: { items: DescriptionItem[] }) {
  return (
    <dl className="description-list">
      {items
        .filter(({ detail }) => detail !== null)
        .map(({ term, detail, isLong }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd className={isLong ? 'user-text' : undefined}>{detail}</dd>
          </div>
        ))}
    </dl>
  );
}

export type BadgeTone =
  | 'available'
  | 'maintenance'
  | 'checked-out'
  | 'in-progress'
  | 'overdue'
  | 'completed'
  | 'high'
  | 'medium'
  | 'low'
  | 'default'
  | 'secondary'
  | 'outline';

/** Shows a state as a word, a shape and a colour, so that it never depends on colour alone. */
export function Badge({ tone, children }: { tone: BadgeTone; children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}

export interface DateTimeText {
  iso: string;
  text: string;
}

export function DateTime({ value }: { value: DateTimeText }) {
  return <time dateTime={value.iso}>{value.text}</time>;
}

type ButtonVariant = 'primary' | 'cta' | 'secondary' | 'quiet' | 'danger';

type ButtonProps = Omit<ComponentProps<'button'>, 'className' | 'style'> & { variant?: ButtonVariant };

export function Button({ variant = 'secondary', type = 'submit', ...rest }: ButtonProps) {
  return <button {...rest} type={type} className="button" data-variant={variant} />;
}

type ButtonLinkProps = Omit<ComponentProps<typeof Link>, 'className' | 'style'> & { variant?: ButtonVariant };

/** Never prefetches: private pages are not cached, and a flash message can be read only once. */
export function ButtonLink({ variant = 'secondary', ...rest }: ButtonLinkProps) {
  return <Link {...rest} className="button" data-variant={variant} />;
}
