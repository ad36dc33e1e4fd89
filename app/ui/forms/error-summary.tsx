import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { useActionData } from '@remix-run/react';
import type { FormState } from '../hooks/use-form.ts';

interface ErrorSummaryProps {
  form: FormState;
}

/**
 * All that is wrong with a form, each error a link to its field; takes the focus with and without script.
 * Nothing when the form is right. Goes into `lead` of Screen.
 */
export function ErrorSummary({ form }: ErrorSummaryProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const reply = useActionData();
  const errors = withoutRepeats(Object.entries(form.allErrors));
  const wrong = errors.length > 0;

  // Each answer of the server moves the focus again, also when it says the same as the one before.
  useEffect(() => {
    if (reply && wrong) heading.current?.focus();
  }, [reply, wrong]);

  if (!wrong) return null;
  return (
    <div className="error-summary">
      {/* eslint-disable-next-line jsx-a11y/no-autofocus -- without script, nothing else tells that the form came back */}
      <h2 ref={heading} tabIndex={-1} autoFocus>
        There is a problem
      </h2>
      <ul>
        {errors.map(([name, [text]]) => (
          <li key={name}>{name === '' ? text : <FieldLink id={`${form.id}-${name}`}>{text}</FieldLink>}</li>
        ))}
      </ul>
    </div>
  );
}

/** What is said of two fields at once leads to the first of them. */
function withoutRepeats(errors: [string, string[]][]): [string, string[]][] {
  return errors.filter(([, [text]], index) => errors.findIndex(([, [other]]) => other === text) === index);
}

function FieldLink({ id, children }: { id: string; children: ReactNode }) {
  // To the router a fragment is a navigation, which forgets the answer that this page shows.
  const toField = (event: MouseEvent) => {
    event.preventDefault();
    document.getElementById(id)?.focus();
  };
  return (
    <a href={`#${id}`} onClick={toField}>
      {children}
    </a>
  );
}
