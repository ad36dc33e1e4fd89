import { OFFLINE_CHECK_IN_FORM_KEY, OFFLINE_CHECK_OUT_FORM_KEY, paths } from '#app/paths.ts';
import { fileInputs, readSubject } from './controls.ts';
import { deleteEntry, findEntry, restorePhotos, saveEntry, savePhotos } from './entries.ts';
import { formKey } from './viewer.ts';

const FIELDS = ['aircraftId', 'startHobbsTime', 'startTachTime', 'departedAt'];

/** Copies what was chosen and typed in the steps into the one form, too. */
export function copyStepIntoOfflineForm(form: HTMLFormElement): void {
  if (location.pathname !== paths.checkOut) return;
  const fields = [...new FormData(form)].filter(
    (field): field is [string, string] => FIELDS.includes(field[0]) && typeof field[1] === 'string',
  );
  const step = Object.fromEntries(fields);
  const former = findEntry(OFFLINE_CHECK_OUT_FORM_KEY)?.values;
  if (step.aircraftId && former && former.aircraftId !== step.aircraftId) deleteEntry(OFFLINE_CHECK_OUT_FORM_KEY);
  for (const input of fileInputs(form)) savePhotos(OFFLINE_CHECK_OUT_FORM_KEY, input);
  if (!step.aircraftId) return;
  const values = { ...findEntry(OFFLINE_CHECK_OUT_FORM_KEY)?.values, ...step };
  const touched = Object.keys(values);
  const defaults = Object.fromEntries(touched.map((name) => [name, '']));
  saveEntry(OFFLINE_CHECK_OUT_FORM_KEY, { values, defaults, touched, subject: '[]', at: Date.now() });
}

export function forgetSteps({ action }: HTMLFormElement): void {
  const { pathname, searchParams } = new URL(action);
  if (pathname === paths.checkOut && searchParams.get('step') === '2') deleteEntry(OFFLINE_CHECK_OUT_FORM_KEY);
}

/** What was typed before the check-out of that aircraft was sent goes on in the form of its flight. */
export function adoptTypedCheckIn(form: HTMLFormElement): void {
  const former = findEntry(OFFLINE_CHECK_IN_FORM_KEY);
  const { aircraft } = form.dataset;
  if (!former || location.pathname === paths.checkOutWithoutNetwork || findEntry(formKey(form))) return;
  if (former.subject !== JSON.stringify([['aircraftId', aircraft]])) return;
  const { values, defaults, touched, at } = former;
  saveEntry(formKey(form), { values, defaults, touched, at, subject: readSubject(form) });
  restorePhotos(OFFLINE_CHECK_IN_FORM_KEY, form);
  deleteEntry(OFFLINE_CHECK_IN_FORM_KEY);
}
