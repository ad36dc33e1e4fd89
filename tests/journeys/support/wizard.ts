import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import type { JourneyContext } from './journey.ts';
import type { Plane } from './school.ts';

// What the wizard shows, as its journeys find it.
export const aircraftSelect = (page: Page) => page.getByLabel('Aircraft', { exact: true });
export const hobbsField = (page: Page) => page.getByLabel('Hobbs Time');
export const tachField = (page: Page) => page.getByLabel('Tach Time');
export const buttonNamed = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const errorSummary = (page: Page) => page.getByRole('heading', { name: 'There is a problem' });
export const stepNavigation = (page: Page) => page.getByRole('navigation', { name: 'Steps' });
/** What the review says under this term. */
export const reviewedValue = (page: Page, term: string) =>
  page.locator('dt', { hasText: new RegExp(`^${term}$`) }).locator('xpath=following-sibling::dd[1]');

/** A pilot at the first step, in a school with one aircraft whose last readings are known. */
export async function openWizard({ signIn, visit, school }: JourneyContext) {
  const plane = await school.aircraft({ last_hobbs: '1234.5', last_tach: '987.6' });
  await signIn(await school.user('student'));
  await visit('/flight-log');
  return { plane };
}

/** Chooses on step 1, and leads on. */
export async function chooseAircraft(page: Page, plane: Plane) {
  await aircraftSelect(page).selectOption(String(plane.id));
  await buttonNamed(page, 'Next').click();
  await expect(hobbsField(page)).toBeVisible();
}

/** Fills in step 2, and leads on. */
export async function enterReadings(page: Page, readings: { hobbs: string; tach: string }) {
  await hobbsField(page).fill(readings.hobbs);
  await tachField(page).fill(readings.tach);
  await buttonNamed(page, 'Next').click();
}
