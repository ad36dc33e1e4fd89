import { paths } from '#app/paths.ts';
import { fileInputs, readSubject } from './controls.ts';
import { deleteEntry, findEntry, restorePhotos, saveEntry, savePhotos } from './entries.ts';
import { formKey } from './viewer.ts';

/** The check-out in one form, which a device without a network shows in place of the steps. */
export const ONE_FORM = `${paths.checkOutWithoutNetwork}#check-out`;
const UNSENT_CHECK_IN = `${paths.checkOutWithoutNetwork}#check-in`;
const FIELDS = ['aircraftId', 'startHobbsTime', 'startTachTime', 'departedAt'];

/** Copies what was chosen and typed in the steps into the one form, too. */
export function copyStep(form: HTMLFormElement): void {
  if (location.pathname !== paths.checkOut) return;
  const fields = [...new FormData(form)].filter(
    (field): field is [string, string] => FIELDS.includes(field[0]) && typeof field[1] === 'string',
  );
  const step = Object.fromEntries(fields);
  const former = findEntry(ONE_FORM)?.values;
  if (step.aircraftId && former && former.aircraftId !== step.aircraftId) deleteEntry(ONE_FORM);
  for (const input of fileInputs(form)) savePhotos(ONE_FORM, input);
  if (!step.aircraftId) return;
  const values = { ...findEntry(ONE_FORM)?.values, ...step };
  const touched = Object.keys(values);
  const defaults = Object.fromEntries(touched.map((name) => [name, '']));
  saveEntry(ONE_FORM, { values, defaults, touched, subject: '[]', at: Date.now() });
}

export function forgetSteps({ action }: HTMLFormElement): void {
  const { pathname, searchParams } = new URL(action);
  if (pathname === paths.checkOut && searchParams.get('step') === '2') deleteEntry(ONE_FORM);
}

/** What was typed before the check-out of that aircraft was sent goes on in the form of its flight. */
export function adoptCheckIn(form: HTMLFormElement): void {
  const former = findEntry(UNSENT_CHECK_IN);
  const { aircraft } = form.dataset;
  if (!former || location.pathname === paths.checkOutWithoutNetwork || findEntry(formKey(form))) return;
  if (former.subject !== JSON.stringify([['aircraftId', aircraft]])) return;
  const { values, defaults, touched, at } = former;
  saveEntry(formKey(form), { values, defaults, touched, at, subject: readSubject(form) });
  restorePhotos(UNSENT_CHECK_IN, form);
  deleteEntry(UNSENT_CHECK_IN);
}
