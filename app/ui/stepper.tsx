import { Link } from './link.tsx';

export interface Step {
  label: string;
  state: 'done' | 'current' | 'upcoming';
  href?: string;
  /** Intent with which to submit a form in place of following the link, so that entered values are saved. */
  submit?: { formId: string; intent: string };
}

export function Stepper({ label, steps }: { label: string; steps: Step[] }) {
  return (
    <nav aria-label={label}>
      <ol className="stepper">
        {steps.map((step) => (
          <li key={step.label} data-state={step.state}>
            <StepLabel {...step} />
            {step.state === 'done' && <span className="visually-hidden"> (done)</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function StepLabel({ label, state, href, submit }: Step) {
  const ariaCurrent = state === 'current' ? 'step' : undefined;
  if (state === 'upcoming' || !href) return <span aria-current={ariaCurrent}>{label}</span>;
  if (submit) {
    return (
      <button form={submit.formId} name="intent" value={submit.intent}>
        {label}
      </button>
    );
  }
  return (
    <Link to={href} aria-current={ariaCurrent}>
      {label}
    </Link>
  );
}
