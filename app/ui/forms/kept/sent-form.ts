import { type FormOutcome, hear } from '../../news.ts';

export interface SentForm {
  form: HTMLFormElement;
  fields: FormData;
  submitter: HTMLElement | null;
  outcome?: FormOutcome;
}

let last: SentForm | undefined;
const times = new Map<string, number>();

/** Notes which form script sends, for the script that keeps forms, which may come later. */
export function watchSentForms(): void {
  window.addEventListener('submit', stopRepeated, true);
  // The listener runs after the router's own: a form that the router leaves to the browser takes the page along.
  window.addEventListener('submit', ({ target, submitter, defaultPrevented }) => {
    if (!defaultPrevented || !(target instanceof HTMLFormElement)) return;
    last = { form: target, fields: new FormData(target), submitter };
  });
  hear('formoutcome', (outcome) => {
    if (!last) return;
    last.outcome = outcome;
    if (outcome === 'sent') times.set(last.form.id, timesSent(last.form.id) + 1);
  });
}

export function lastSentForm(): SentForm | undefined {
  return last;
}

/** The times that a form was sent since the document came. */
export function timesSent(form: string): number {
  return times.get(form) ?? 0;
}

/** The second press of a double click: its answer would replace the first, and what that shows once would never be seen. */
function stopRepeated(event: SubmitEvent): void {
  if (!last || last.outcome || last.form !== event.target || last.form.method !== 'post') return;
  if (intentOf(last.submitter) !== intentOf(event.submitter)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Returns true if the form is sent as by this button. Enter uses a DefaultSubmitButton or no submitter. */
export function hasIntentOfButton(submitter: HTMLElement | null, button: HTMLButtonElement): boolean {
  return !(submitter instanceof HTMLButtonElement) || intentOf(submitter) === intentOf(button);
}

function intentOf(submitter: HTMLElement | null): string {
  return submitter instanceof HTMLButtonElement ? `${submitter.name}=${submitter.value}` : '=';
}
