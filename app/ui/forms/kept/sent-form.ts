import { onFormOutcome } from './form-outcome.ts';

export interface SentForm {
  form: HTMLFormElement;
  fields: FormData;
}

let last: (SentForm & { isDone?: true }) | undefined;

/** Notes which form script sends, for the script that keeps forms, which may come later. */
export function watchSentForms(): void {
  // The listener runs after the router's own: a form that the router leaves to the browser takes the page along.
  window.addEventListener('submit', ({ target, defaultPrevented }) => {
    if (defaultPrevented && target instanceof HTMLFormElement) last = { form: target, fields: new FormData(target) };
  });
  onFormOutcome((outcome) => {
    if (last) last = outcome === 'sent' ? { ...last, isDone: true } : undefined;
  });
}

/** Returns the form that was sent last, unless it failed; it is done once it was answered. */
export function lastSentForm(): typeof last {
  return last;
}
