import { Link } from '@remix-run/react';

export interface Step {
  label: string;
  state: 'done' | 'current' | 'later';
  /** Where a done or current step leads; a later one leads nowhere. */
  href?: string;
}

/** Where the user stands in the wizard; only earlier and current steps can be gone to (spec §2). */
export function Stepper({ label, steps }: { label: string; steps: Step[] }) {
  return (
    <nav aria-label={label}>
      <ol className="stepper">
        {steps.map(({ label: name, state, href }) => (
          <li key={name} data-state={state} aria-current={state === 'current' && !href ? 'step' : undefined}>
            {href && state !== 'later' ? (
              <Link to={href} aria-current={state === 'current' ? 'step' : undefined}>
                {name}
              </Link>
            ) : (
              <span>{name}</span>
            )}
            {state === 'done' && <span className="visually-hidden"> (done)</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
