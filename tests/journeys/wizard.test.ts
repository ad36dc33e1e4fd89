import type { Page } from 'playwright';
import { expect } from 'playwright/test';
import { keepDraft } from '#app/domain/drafts.server.ts';
import { holdPosts } from './support/hold.ts';
import { journey, type Stage, WITH_SCRIPT } from './support/journey.ts';
import type { Plane } from './support/school.ts';
import { expectToast } from './support/toast.ts';

const NOTICE =
  'You have an active flight in progress. Please complete your current flight before starting a new one.';
const GROUNDED = 'This aircraft is currently under maintenance and cannot be used for flights.';

const select = (page: Page) => page.getByLabel('Aircraft', { exact: true });
const hobbs = (page: Page) => page.getByLabel('Hobbs Time');
const tach = (page: Page) => page.getByLabel('Tach Time');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const summary = (page: Page) => page.getByRole('heading', { name: 'There is a problem' });
const steps = (page: Page) => page.getByRole('navigation', { name: 'Steps' });
const reviewed = (page: Page, term: string) =>
  page.locator('dt', { hasText: new RegExp(`^${term}$`) }).locator('xpath=following-sibling::dd[1]');

/** A student at the wizard's first step, in a school with one aircraft whose last readings are known. */
async function arrive({ visit, signIn, school }: Stage) {
  const pilot = await school.user('student');
  const plane = await school.aircraft({ last_hobbs: '1234.5', last_tach: '987.6' });
  await signIn(pilot);
  await visit('/flight-log');
  return { pilot, plane };
}

async function choose(page: Page, plane: Plane) {
  await select(page).selectOption(String(plane.id));
  await button(page, 'Next').click();
  await expect(hobbs(page)).toBeVisible();
}

async function read(page: Page, readings: { hobbs: string; tach: string }) {
  await hobbs(page).fill(readings.hobbs);
  await tach(page).fill(readings.tach);
  await button(page, 'Next').click();
}

/** At the review, with the readings that the last flight has left. */
async function arriveAtReview(stage: Stage) {
  const { page, db, visit } = stage;
  const arrived = await arrive(stage);
  const choices = { aircraftId: String(arrived.plane.id), startHobbsTime: '1234.5', startTachTime: '987.6' };
  await keepDraft(db, arrived.pilot.id, 'check-out', Object.entries({ ...choices, readAt: new Date().toISOString() }));
  await visit('/flight-log?step=2');
  await expect(button(page, 'Start Flight')).toBeVisible();
  return arrived;
}

function openFlights({ db, school }: Stage) {
  return db
    .selectFrom('flight_logs')
    .select(['aircraft_id', 'start_hobbs', 'start_tach', 'reading_flags'])
    .where('school_id', '=', school.id)
    .where('completed_at', 'is', null)
    .execute();
}

journey('B010 B139 B146 B150 B293: three steps in order; what is forgotten or mistyped is said, and the rest stays', async (stage) => {
  const { page } = stage;
  const { plane } = await arrive(stage);
  await expect(steps(page).getByRole('listitem')).toHaveText(['Select Aircraft', 'Check Out', 'Review & Save']);
  await button(page, 'Next').click();
  await expect(summary(page)).toBeFocused();
  await expect(select(page)).toHaveAccessibleDescription('Please select an aircraft');

  await choose(page, plane);
  await read(page, { hobbs: '12h34', tach: '' });
  await expect(summary(page)).toBeFocused();
  await expect(hobbs(page)).toHaveAccessibleDescription('Hobbs time must be a number');
  await expect(tach(page)).toHaveAccessibleDescription('Tach time is required');
  await expect(hobbs(page)).toHaveValue('12h34');

  await read(page, { hobbs: '', tach: '987,6' });
  await expect(hobbs(page)).toHaveAccessibleDescription('Hobbs time is required');
  await expect(tach(page)).toHaveAccessibleDescription('');
  await expect(tach(page)).toHaveValue('987,6');
  await page.getByRole('link', { name: 'Hobbs time is required' }).click();
  await expect(hobbs(page)).toBeFocused();

  await page.keyboard.type('1234.5');
  await page.keyboard.press('Enter');
  await expect(reviewed(page, 'Start Hobbs')).toHaveText('1234.5');
  await expect(reviewed(page, 'Start Tach')).toHaveText('987.6');
});

journey('B152 B155 B156 B276: the review shows what is started; the dashboard then has the flight and the notice', async (stage) => {
  const { page } = stage;
  const { plane } = await arriveAtReview(stage);
  await expect(reviewed(page, 'Aircraft')).toHaveText(`${plane.tailNumber} Cessna 172S`);
  await button(page, 'Start Flight').click();
  await expect(page).toHaveURL('/');
  await expectToast(page, 'Flight Log Created', 'Your flight has been logged. Have a safe flight!');
  await expect(page.getByText(NOTICE)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your Open Flights' }).getByText(plane.tailNumber)).toBeVisible();
  expect(await openFlights(stage)).toMatchObject([{ aircraft_id: plane.id, start_hobbs: '1234.5', start_tach: '987.6' }]);
});

journey('B140 B141 B158: one goes back by Back and by the steps that are behind, and finds the choices kept', async (stage) => {
  const { page } = stage;
  const { plane } = await arriveAtReview(stage);
  await expect(steps(page).getByRole('link')).toHaveText(['Select Aircraft', 'Check Out', 'Review & Save']);
  await expect(steps(page).getByRole('link', { name: 'Review & Save' })).toHaveAttribute('aria-current', 'step');
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(hobbs(page)).toHaveValue('1234.5');
  await expect(tach(page)).toHaveValue('987.6');
  await expect(steps(page).getByRole('button')).toHaveText(['Select Aircraft']);
  await expect(steps(page).getByRole('link')).toHaveText(['Check Out']);

  await tach(page).fill('988');
  await button(page, 'Back').click();
  await expect(select(page)).toHaveValue(String(plane.id));
  await expect(steps(page).getByRole('link')).toHaveText(['Select Aircraft']);
  await expect(page.getByRole('link', { name: 'Back', exact: true })).toHaveAttribute('href', '/');
  await button(page, 'Next').click();
  await expect(tach(page)).toHaveValue('988');
  await button(page, 'Next').click();
  await steps(page).getByRole('link', { name: 'Select Aircraft' }).click();
  await expect(select(page)).toHaveValue(String(plane.id));
});

journey('B142-B144 B290: what is in maintenance or out is listed as such and cannot be chosen', async (stage) => {
  const { page, school, visit } = stage;
  const { plane } = await arrive(stage);
  const grounded = await school.aircraft({ maintenance_since: new Date() });
  const out = await school.aircraft();
  await school.flight(await school.user('instructor'), out);
  await visit('/flight-log');
  await expect(select(page).locator('option')).toHaveText([
    'Select an aircraft',
    `${plane.tailNumber} · Cessna 172S`,
    `${grounded.tailNumber} · Cessna 172S [Maintenance]`,
    `${out.tailNumber} · Cessna 172S [Checked Out]`,
  ]);
  await expect(select(page).locator('option:disabled')).toHaveText([/\[Maintenance\]/, /\[Checked Out\]/]);
});

journey('B145: a school without aircraft has nothing to choose from, and a way back', async ({ page, visit, signIn, school }) => {
  await signIn(await school.user('student'));
  await visit('/flight-log');
  await expect(page.getByText('No aircraft available at your flight school')).toBeVisible();
  await expect(button(page, 'Next')).toBeHidden();
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL('/');
});

journey('B158: readings that are typed but not sent stay, too, when one goes back by the steps', async (stage) => {
  const { page } = stage;
  const { plane } = await arrive(stage);
  await choose(page, plane);
  await hobbs(page).fill('1234.9');
  await steps(page).getByRole('button', { name: 'Select Aircraft' }).click();
  await expect(select(page)).toHaveValue(String(plane.id));
  await button(page, 'Next').click();
  await expect(hobbs(page)).toHaveValue('1234.9');
  await tach(page).fill('988');
  await page.keyboard.press('Enter');
  await expect(reviewed(page, 'Start Tach')).toContainText('988');
});

journey('B151 B153 C56: the address of a later step says what is missing, and leads back to it', async (stage) => {
  const { page, visit } = stage;
  const { plane } = await arrive(stage);
  await visit('/flight-log?step=2');
  await expect(page.getByText('Please complete all previous steps first.')).toBeVisible();
  await expect(button(page, 'Start Flight')).toBeHidden();
  await visit('/flight-log?step=1');
  await expect(page.getByText('Please select an aircraft first.')).toBeVisible();
  await page.getByRole('link', { name: 'Go Back' }).click();
  await choose(page, plane);
  await visit('/flight-log?step=2');
  await expect(page.getByText('Please complete all previous steps first.')).toBeVisible();
});

journey('C06 C07: the last reading is used when asked for; one that differs is named, and held until it is read again', async (stage) => {
  const { page } = stage;
  const { plane } = await arrive(stage);
  await choose(page, plane);
  await expect(hobbs(page)).toHaveValue('');
  await tach(page).fill('990');
  await button(page, 'Use last reading 1234.5').click();
  await expect(hobbs(page)).toHaveValue('1234.5');
  await expect(tach(page)).toHaveValue('990');
  await expect(page.getByText('2.4 h not logged since the last flight.')).toBeVisible();
  await read(page, { hobbs: '1234', tach: '990' });
  await expect(reviewed(page, 'Start Hobbs')).toContainText('Lower than the last recorded reading (1234.5).');
  await expect(reviewed(page, 'Start Tach')).toContainText('2.4 h not logged since the last flight.');

  await button(page, 'Start Flight').click();
  await expect(summary(page)).toBeFocused();
  expect(await openFlights(stage)).toEqual([]);
  await page.getByLabel('I have read the meter again').check();
  await button(page, 'Start Flight').click();
  await expect(page).toHaveURL('/');
  expect(await openFlights(stage)).toMatchObject([
    { reading_flags: [{ meter: 'hobbs', kind: 'below' }, { meter: 'tachometer', kind: 'gap' }] },
  ]);
});

journey('C57: readings older than the aircraft\'s last flight are to be taken again', async (stage) => {
  const { page, db, school, visit } = stage;
  const { plane } = await arriveAtReview(stage);
  const other = await school.user('instructor');
  const columns = { last_hobbs: '1236', last_hobbs_at: new Date(), last_hobbs_by: other.id };
  await db.updateTable('aircraft').set(columns).where('id', '=', plane.id).execute();
  await visit('/flight-log?step=1');
  await expect(page.getByText('This aircraft has flown since its meters were read. Please read them again.')).toBeVisible();
  await expect(hobbs(page)).toHaveValue('');
});

journey('B154 B157 B289: an aircraft grounded meanwhile is not flown, and what was reviewed stays on the page', async (stage) => {
  const { page, db, visit } = stage;
  const { plane } = await arriveAtReview(stage);
  await db.updateTable('aircraft').set({ maintenance_since: new Date() }).where('id', '=', plane.id).execute();
  await button(page, 'Start Flight').click();
  await expectToast(page, 'Error', GROUNDED, 'alert');
  await expect(summary(page)).toBeFocused();
  await expect(reviewed(page, 'Start Hobbs')).toHaveText('1234.5');
  await visit('/flight-log?step=2');
  await expect(page.getByText(GROUNDED)).toBeVisible();
  await expect(button(page, 'Start Flight')).toBeHidden();
  expect(await openFlights(stage)).toEqual([]);
});

journey('B325: of two tabs with different aircraft, each starts the one it shows', async (stage) => {
  const { page, ready, tab, school, visit } = stage;
  const { plane } = await arriveAtReview(stage);
  const other = await school.aircraft();
  const second = await tab();
  await visit('/flight-log', second);
  await choose(second, other);
  await read(second, { hobbs: '55', tach: '44' });
  await expect(reviewed(second, 'Aircraft')).toContainText(other.tailNumber);

  await expect(reviewed(page, 'Aircraft')).toContainText(plane.tailNumber);
  await button(page, 'Start Flight').click();
  await ready();
  await expect(page).toHaveURL('/');
  expect(await openFlights(stage)).toMatchObject([{ aircraft_id: plane.id, start_hobbs: '1234.5', start_tach: '987.6' }]);
});

journey('B159 B326: neither Back after Start Flight nor a tab left open starts a second flight', async (stage) => {
  const { page, ready, tab, visit } = stage;
  await arriveAtReview(stage);
  const left = await tab();
  await visit('/flight-log?step=2', left);
  await button(page, 'Start Flight').click();
  await expect(page).toHaveURL('/');

  await page.goBack();
  await ready();
  await expect(page.getByText(NOTICE)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Complete Post-Flight Check' })).toBeVisible();
  await expect(button(page, 'Start Flight')).toBeHidden();

  await button(left, 'Start Flight').click();
  await expect(left.getByText(NOTICE).first()).toBeVisible();
  expect(await openFlights(stage)).toHaveLength(1);
});

journey('C58 C61: pressing Start Flight twice starts one flight', async (stage) => {
  const { page } = stage;
  await arriveAtReview(stage);
  await button(page, 'Start Flight').dblclick({ noWaitAfter: true });
  await expect(page).toHaveURL('/');
  await expectToast(page, 'Flight Log Created');
  expect(await openFlights(stage)).toHaveLength(1);
});

journey(
  'B157 C61: while the start is under way its button says so and takes no second press',
  async (stage) => {
    const { page } = stage;
    await arriveAtReview(stage);
    const post = await holdPosts(page);
    await button(page, 'Start Flight').click();
    await expect(button(page, 'Starting Flight...')).toHaveAttribute('aria-disabled', 'true');
    await button(page, 'Starting Flight...').click({ force: true });
    post.release();
    await expect(page).toHaveURL('/');
    expect(await openFlights(stage)).toHaveLength(1);
  },
  { modes: WITH_SCRIPT },
);

journey(
  'C06: the difference to the last reading follows what is typed',
  async (stage) => {
    const { page } = stage;
    const { plane } = await arrive(stage);
    await choose(page, plane);
    await hobbs(page).pressSequentially('1234');
    await expect(page.getByText('Lower than the last recorded reading (1234.5).')).toBeVisible();
    await hobbs(page).pressSequentially('.5');
    await expect(page.getByText('Same as the last recorded reading.')).toBeVisible();
  },
  { modes: WITH_SCRIPT },
);
