import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import type { Role } from '#db/roles.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import type { JourneyContext } from './journey.ts';
import type { Plane } from './school.ts';

// What the wizard shows, as its journeys find it.
export const select = (page: Page) => page.getByLabel('Aircraft', { exact: true });
export const hobbs = (page: Page) => page.getByLabel('Hobbs Time');
export const tach = (page: Page) => page.getByLabel('Tach Time');
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const summary = (page: Page) => page.getByRole('heading', { name: 'There is a problem' });
export const steps = (page: Page) => page.getByRole('navigation', { name: 'Steps' });
/** What the review says under this term. */
export const reviewed = (page: Page, term: string) =>
  page.locator('dt', { hasText: new RegExp(`^${term}$`) }).locator('xpath=following-sibling::dd[1]');

/** A pilot who has signed in, in a school with one aircraft whose last readings are known. */
export async function prepare({ signIn, school }: JourneyContext, role: Role = 'student') {
  const pilot = await school.user(role);
  const plane = await school.aircraft({ last_hobbs: '1234.5', last_tach: '987.6' });
  await signIn(pilot);
  return { pilot, plane };
}

/** The same at the wizard's first step. */
export async function arrive(ctx: JourneyContext) {
  const prepared = await prepare(ctx);
  await ctx.visit('/flight-log');
  return prepared;
}

/** Chooses on step 1, and leads on. */
export async function choose(page: Page, plane: Plane) {
  await select(page).selectOption(String(plane.id));
  await button(page, 'Next').click();
  await expect(hobbs(page)).toBeVisible();
}

/** Fills in step 2, and leads on. */
export async function enterReadings(page: Page, readings: { hobbs: string; tach: string }) {
  await hobbs(page).fill(readings.hobbs);
  await tach(page).fill(readings.tach);
  await button(page, 'Next').click();
}

/** At the review, with the readings that the last flight has left. */
export async function arriveAtReview(ctx: JourneyContext, role: Role = 'student') {
  const { page, db, visit } = ctx;
  const prepared = await prepare(ctx, role);
  const choices = { aircraftId: String(prepared.plane.id), startHobbsTime: '1234.5', startTachTime: '987.6' };
  await saveDraft(db, prepared.pilot.id, 'check-out', Object.entries({ ...choices, readAt: new Date().toISOString() }));
  await visit('/flight-log?step=2');
  await expect(button(page, 'Start Flight')).toBeVisible();
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
