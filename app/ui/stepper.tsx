import { Link } from '@remix-run/react';

export interface Step {
  label: string;
  state: 'done' | 'current' | 'later';
  /** Where a done or current step leads; a later one leads nowhere. */
  href?: string;
  /** The form to send on the way there, with this intent, so that what is typed is kept. */
  submit?: { form: string; intent: string };
}

/** Where the user stands in the wizard; only earlier and current steps can be gone to (spec §2). */
export function Stepper({ label, steps }: { label: string; steps: Step[] }) {
  return (
    <nav aria-label={label}>
      <ol className="stepper">
        {steps.map((step) => (
          <li key={step.label} data-state={step.state}>
            <StepName {...step} />
            {step.state === 'done' && <span className="visually-hidden"> (done)</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function StepName({ label, state, href, submit: by }: Step) {
  if (state === 'later' || !href) return <span aria-current={state === 'current' ? 'step' : undefined}>{label}</span>;
  if (by) {
    return (
      <button form={by.form} name="intent" value={by.intent}>
        {label}
      </button>
    );
  }
  return (
    <Link to={href} aria-current={state === 'current' ? 'step' : undefined}>
      {label}
    </Link>
  );
}
