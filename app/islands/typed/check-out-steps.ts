import { paths } from '#app/paths.ts';
import { fileInputs } from './controls.ts';
import { deleteEntry, findEntry, saveEntry, savePhotos } from './entries.ts';

/** The check-out in one form, which a device without a network shows in place of the steps. */
const ONE_FORM = `${paths.checkOutWithoutNetwork}#check-out`;
const FIELDS = ['aircraftId', 'startHobbsTime', 'startTachTime', 'departedAt'];

/** Copies what was chosen and typed in the steps into the one form, too. */
export function copyStep(form: HTMLFormElement): void {
  if (location.pathname !== paths.checkOut) return;
  const fields = [...new FormData(form)].filter(
    (field): field is [string, string] => FIELDS.includes(field[0]) && typeof field[1] === 'string',
  );
  const step = Object.fromEntries(fields);
  for (const input of fileInputs(form)) savePhotos(ONE_FORM, input);
  if (!step.aircraftId) return;
  const former = findEntry(ONE_FORM)?.values;
  const values = { ...(former?.aircraftId === step.aircraftId && former), ...step };
  const touched = Object.keys(values);
  const defaults = Object.fromEntries(touched.map((name) => [name, '']));
  saveEntry(ONE_FORM, { values, defaults, touched, subject: '[]', at: Date.now() });
}

export function forgetSteps({ action }: HTMLFormElement): void {
  const { pathname, searchParams } = new URL(action);
  if (pathname === paths.checkOut && searchParams.get('step') === '2') deleteEntry(ONE_FORM);
}
