import { CHECK_IN_FORM_KEY, CHECK_OUT_FORM_KEY, paths } from '#app/paths.ts';
import { fileInputs, readSubject } from './controls.ts';
import { deleteEntry, findEntry, restorePhotos, saveEntry, savePhotos } from './entries.ts';
import { formKey } from './viewer.ts';

const FIELDS = ['aircraftId', 'startHobbsTime', 'startTachTime', 'departedAt'];

/** Copies what was chosen and typed in the steps into the one form, too. */
export function copyStep(form: HTMLFormElement): void {
  if (location.pathname !== paths.checkOut) return;
  const fields = [...new FormData(form)].filter(
    (field): field is [string, string] => FIELDS.includes(field[0]) && typeof field[1] === 'string',
  );
  const step = Object.fromEntries(fields);
  const former = findEntry(CHECK_OUT_FORM_KEY)?.values;
  if (step.aircraftId && former && former.aircraftId !== step.aircraftId) deleteEntry(CHECK_OUT_FORM_KEY);
  for (const input of fileInputs(form)) savePhotos(CHECK_OUT_FORM_KEY, input);
  if (!step.aircraftId) return;
  const values = { ...findEntry(CHECK_OUT_FORM_KEY)?.values, ...step };
  const touched = Object.keys(values);
  const defaults = Object.fromEntries(touched.map((name) => [name, '']));
  saveEntry(CHECK_OUT_FORM_KEY, { values, defaults, touched, subject: '[]', at: Date.now() });
}

export function forgetSteps({ action }: HTMLFormElement): void {
  const { pathname, searchParams } = new URL(action);
  if (pathname === paths.checkOut && searchParams.get('step') === '2') deleteEntry(CHECK_OUT_FORM_KEY);
}

/** What was typed before the check-out of that aircraft was sent goes on in the form of its flight. */
export function adoptCheckIn(form: HTMLFormElement): void {
  const former = findEntry(CHECK_IN_FORM_KEY);
  const { aircraft } = form.dataset;
  if (!former || location.pathname === paths.checkOutWithoutNetwork || findEntry(formKey(form))) return;
  if (former.subject !== JSON.stringify([['aircraftId', aircraft]])) return;
  const { values, defaults, touched, at } = former;
  saveEntry(formKey(form), { values, defaults, touched, at, subject: readSubject(form) });
  restorePhotos(CHECK_IN_FORM_KEY, form);
  deleteEntry(CHECK_IN_FORM_KEY);
}
