import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { journey, nightlyJourney, WITH_SCRIPT, type JourneyContext } from './support/journey.ts';
import { dropNextAnswer, dropNextPost } from './support/network.ts';
import { expectToast } from './support/toast.ts';

const NOT_SENT = 'This could not be sent. What you entered is still here. Please try again.';
const LOST = /ERR_|Failed to fetch|NetworkError/;

const complete = (page: Page) => page.getByRole('button', { name: 'Complete Flight' });

async function checkingIn({ page, school, signIn, visit }: JourneyContext) {
  const pilot = await school.user('student');
  const id = await school.flight(pilot, await school.aircraft());
  await signIn(pilot);
  await visit(`/flight-log/${id}/post-check`);
  await page.getByLabel('End Hobbs Time').fill('1235.7');
  await page.getByLabel('End Tach Time').fill('988.4');
  await page.getByRole('switch', { name: 'Refueled' }).check();
  await page.getByLabel('Notes', { exact: true }).fill('Left brake soft.\nLanding light out.');
}

const flights = ({ db, school }: JourneyContext) =>
  db.selectFrom('flight_logs').selectAll().where('school_id', '=', school.id).execute();
const fuelRecords = ({ db, school }: JourneyContext) =>
  db.selectFrom('fuel_records').selectAll().where('school_id', '=', school.id).execute();

journey(
  'a check-in whose answer is lost can be sent again, and is one check-in (C58, B210, B302)',
  async (ctx) => {
    const { page, mode, ready } = ctx;
    await checkingIn(ctx);
    const network = await dropNextAnswer(page);
    await complete(page).click();
    await network.lost();
    expect(await flights(ctx)).toMatchObject([{ end_hobbs: '1235.7' }]);
    if (mode === 'with script') {
      await expectToast(page, 'Error', NOT_SENT, 'alert');
      await complete(page).click();
    } else {
      // The browser says it, and offers the same form again.
      await page.waitForURL('chrome-error://**');
      await page.reload();
    }
    await ready();
    await expect(page).toHaveURL('/');
    await expectToast(page, 'Flight completed successfully');
    expect(await fuelRecords(ctx)).toHaveLength(1);
  },
  { expects: LOST },
);

nightlyJourney(
  'a check-in pressed again and again offline keeps what is typed, and is not sent by itself later (B302)',
  async (ctx) => {
    const { page, context } = ctx;
    await checkingIn(ctx);
    await context.setOffline(true);
    for (let press = 0; press < 3; press += 1) {
      await complete(page).click();
      await expectToast(page, 'Error', NOT_SENT, 'alert');
      // The next toast must be that of the next press.
      await page.getByRole('button', { name: 'Close' }).click();
      await expect(page.getByText(NOT_SENT)).toBeHidden();
    }
    await expect(page.getByLabel('Notes', { exact: true })).toHaveValue('Left brake soft.\nLanding light out.');
    await context.setOffline(false);
    expect(await flights(ctx)).toMatchObject([{ end_hobbs: null }]);
    await complete(page).click();
    await expect(page).toHaveURL('/');
    expect(await fuelRecords(ctx)).toHaveLength(1);
  },
  { modes: WITH_SCRIPT, expects: LOST },
);

journey(
  'a log-out that does not reach the server says that it failed, on the page where it was pressed (B063, B1271)',
  async ({ page, signIn, visit, school }) => {
    await signIn(await school.user('student'));
    await visit('/flight-logs');
    const network = await dropNextPost(page);
    await page.getByRole('button', { name: 'Logout' }).click();
    await network.lost();
    await expectToast(page, 'Error', 'Logout failed. You are still signed in. Please try again.', 'alert');
    await expect(page).toHaveURL('/flight-logs#main');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('alert')).toContainText('Logout failed');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Flight Logs');
  },
  { expects: LOST, modes: WITH_SCRIPT },
);
