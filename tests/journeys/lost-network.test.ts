import type { Locator, Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { CHECK_OUT_DRAFT_KEY } from '#app/domain/flights/start-flight.server.ts';
import { journey, nightlyJourney, WITH_SCRIPT, type JourneyContext } from './support/journey.ts';
import { dropNextAnswer, dropNextPost } from './support/network.ts';
import { expectToast } from './support/toast.ts';

const NOT_SENT = 'This could not be sent. What you entered is still here. Please try again.';
const LOST = /ERR_|Failed to fetch|NetworkError/;

const start = (page: Page) => page.getByRole('button', { name: 'Start Flight' });
const complete = (page: Page) => page.getByRole('button', { name: 'Complete Flight' });

async function reviewing({ school, db, signIn, visit }: JourneyContext) {
  const pilot = await school.user('student');
  const plane = await school.aircraft();
  const choices = { aircraftId: String(plane.id), startHobbsTime: '1234.5', startTachTime: '987.6' };
  await saveDraft(db, pilot, CHECK_OUT_DRAFT_KEY, Object.entries(choices));
  await signIn(pilot);
  await visit('/flight-log?step=2');
}

async function checkingIn({ page, school, signIn, visit }: JourneyContext) {
  const pilot = await school.user('student');
  const id = await school.flight(pilot, await school.aircraft());
  await signIn(pilot);
  await visit(`/flight-log/${id}/post-check`);
  await page.getByLabel('End Hobbs Time').fill('1235.7');
  await page.getByLabel('End Tach Time').fill('988.4');
  await page.getByRole('switch', { name: 'Refueled' }).check();
  await page.getByLabel('Notes', { exact: true }).fill('Left brake soft.\nLanding light out.');
  return id;
}

/** Script says that the post got lost and keeps the page; without it the browser does, and offers the same form again. */
async function sendAgain({ page, mode, ready }: JourneyContext, button: Locator) {
  if (mode === 'with script') {
    await expectToast(page, 'Error', NOT_SENT, 'alert');
    await button.click();
  } else {
    await page.waitForURL('chrome-error://**');
    await page.reload();
  }
  await ready();
}

const flights = ({ db, school }: JourneyContext) =>
  db.selectFrom('flight_logs').selectAll().where('school_id', '=', school.id).execute();
const fuelRecords = ({ db, school }: JourneyContext) =>
  db.selectFrom('fuel_records').selectAll().where('school_id', '=', school.id).execute();

nightlyJourney(
  'a start whose answer is lost can be sent again, and is one flight (C58, B302, B326)',
  async (ctx) => {
    const { page } = ctx;
    await reviewing(ctx);
    const network = await dropNextAnswer(page);
    await start(page).click();
    await network.lost();
    expect(await flights(ctx)).toHaveLength(1);
    await sendAgain(ctx, start(page));
    await expect(page).toHaveURL('/');
    await expectToast(page, 'Flight Log Created');
    expect(await flights(ctx)).toHaveLength(1);
  },
  { expects: LOST },
);

journey(
  'a check-in whose answer is lost can be sent again, and is one check-in (C58, B210, B302)',
  async (ctx) => {
    const { page } = ctx;
    await checkingIn(ctx);
    const network = await dropNextAnswer(page);
    await complete(page).click();
    await network.lost();
    expect(await flights(ctx)).toMatchObject([{ end_hobbs: '1235.7' }]);
    await sendAgain(ctx, complete(page));
    await expect(page).toHaveURL('/');
    await expectToast(page, 'Flight completed successfully');
    expect(await fuelRecords(ctx)).toHaveLength(1);
  },
  { expects: LOST },
);

nightlyJourney(
  'a check-in that did not reach the server keeps what was typed, and can be sent once the network is back (B210)',
  async (ctx) => {
    const { page } = ctx;
    await checkingIn(ctx);
    const network = await dropNextPost(page);
    await complete(page).click();
    await network.lost();
    expect(await flights(ctx)).toMatchObject([{ end_hobbs: null }]);
    await sendAgain(ctx, complete(page));
    await expect(page).toHaveURL('/');
    expect(await flights(ctx)).toMatchObject([{ end_hobbs: '1235.7', notes: 'Left brake soft.\nLanding light out.' }]);
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
