import { type FormOutcome, hear } from '../../news.ts';

export interface SentForm {
  form: HTMLFormElement;
  fields: FormData;
  outcome?: FormOutcome;
}

let last: SentForm | undefined;

/** Notes which form script sends, for the script that keeps forms, which may come later. */
export function watchSentForms(): void {
  // The listener runs after the router's own: a form that the router leaves to the browser takes the page along.
  window.addEventListener('submit', ({ target, defaultPrevented }) => {
    if (defaultPrevented && target instanceof HTMLFormElement) last = { form: target, fields: new FormData(target) };
  });
  hear('formoutcome', (outcome) => {
    if (last) last = { ...last, outcome };
  });
}

export function lastSentForm(): SentForm | undefined {
  return last;
}
