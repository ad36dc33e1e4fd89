import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import type { Role } from '#db/roles.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { CHECK_OUT_DRAFT_KEY } from '#app/domain/flights/start-flight.server.ts';
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

/** A pilot who has signed in, in a school with one aircraft whose last readings are known. */
export async function makePilotAndAircraft({ signIn, school }: JourneyContext, role: Role = 'student') {
  const pilot = await school.user(role);
  const plane = await school.aircraft({ last_hobbs: '1234.5', last_tach: '987.6' });
  await signIn(pilot);
  return { pilot, plane };
}

/** The same at the wizard's first step. */
export async function openWizard(ctx: JourneyContext) {
  const prepared = await makePilotAndAircraft(ctx);
  await ctx.visit('/flight-log');
  return prepared;
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

/** At the review, with the readings that the last flight has left. */
export async function openReviewStep(ctx: JourneyContext, role: Role = 'student') {
  const { page, db, visit } = ctx;
  const prepared = await makePilotAndAircraft(ctx, role);
  const choices = { aircraftId: String(prepared.plane.id), startHobbsTime: '1234.5', startTachTime: '987.6' };
  await saveDraft(db, prepared.pilot, CHECK_OUT_DRAFT_KEY, Object.entries(choices));
  await visit('/flight-log?step=2');
  await expect(buttonNamed(page, 'Start Flight')).toBeVisible();
  return prepared;
}

/** What was started in this school and is not completed. */
export function openFlights({ db, school }: JourneyContext) {
  return db
    .selectFrom('flight_logs')
    .select(['aircraft_id', 'start_hobbs', 'start_tach', 'reading_flags'])
    .where('school_id', '=', school.id)
    .where('completed_at', 'is', null)
    .execute();
}
