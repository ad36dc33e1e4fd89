import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { useActionData } from '@remix-run/react';
import type { FormState } from '../hooks/use-form.ts';

/** Lists a form's errors, each linked to its field, and takes the focus; belongs in `beforeTitle` of Screen. */
export function ErrorSummary({ form }: { form: FormState }) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  const actionData = useActionData();
  const errors = withoutRepeatedTexts(Object.entries(form.allErrors));
  const hasErrors = errors.length > 0;

  // The effect depends on the action's data, so that the same errors take the focus again.
  useEffect(() => {
    if (actionData && hasErrors) headingRef.current?.focus();
  }, [actionData, hasErrors]);

  if (!hasErrors) return null;
  return (
    <div className="error-summary">
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- announces the errors without JavaScript too */}
      <h2 ref={headingRef} tabIndex={-1} autoFocus>
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

function withoutRepeatedTexts(errors: [string, string[]][]): [string, string[]][] {
  return errors.filter(([, [text]], index) => errors.findIndex(([, [other]]) => other === text) === index);
}

function FieldLink({ id, children }: { id: string; children: ReactNode }) {
  // The link is not followed, because a navigation would discard the action's data.
  const focusField = (event: MouseEvent) => {
    event.preventDefault();
    document.getElementById(id)?.focus();
  };
  return (
    <a href={`#${id}`} onClick={focusField}>
      {children}
    </a>
  );
}
