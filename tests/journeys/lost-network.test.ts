import type { Locator, Page } from 'playwright';
import { expect } from 'playwright/test';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { journey, type Stage, WITH_SCRIPT } from './support/journey.ts';
import { loseAnswers, losePosts } from './support/network.ts';
import { expectToast } from './support/toast.ts';

const NOT_SENT = 'This could not be sent. What you entered is still here. Please try again.';
const LOST = /ERR_|Failed to fetch|NetworkError/;

const start = (page: Page) => page.getByRole('button', { name: 'Start Flight' });
const complete = (page: Page) => page.getByRole('button', { name: 'Complete Flight' });

async function reviewing({ school, db, signIn, visit }: Stage) {
  const pilot = await school.user('student');
  const plane = await school.aircraft();
  const choices = { aircraftId: String(plane.id), startHobbsTime: '1234.5', startTachTime: '987.6' };
  await saveDraft(db, pilot.id, 'check-out', Object.entries(choices));
  await signIn(pilot);
  await visit('/flight-log?step=2');
}

async function checkingIn({ page, school, signIn, visit }: Stage) {
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
async function sendAgain({ page, mode, ready }: Stage, button: Locator) {
  if (mode === 'with script') {
    await expectToast(page, 'Error', NOT_SENT, 'alert');
    await button.click();
  } else {
    await page.waitForURL('chrome-error://**');
    await page.reload();
  }
  await ready();
}

const flights = ({ db, school }: Stage) =>
  db.selectFrom('flight_logs').selectAll().where('school_id', '=', school.id).execute();
const fuelRecords = ({ db, school }: Stage) =>
  db.selectFrom('fuel_records').selectAll().where('school_id', '=', school.id).execute();

journey(
  'C58 B302 B326: a start whose answer is lost is sent again, and is one flight',
  async (stage) => {
    const { page } = stage;
    await reviewing(stage);
    const network = await loseAnswers(page);
    await start(page).click();
    await network.lost();
    expect(await flights(stage)).toHaveLength(1);
    await sendAgain(stage, start(page));
    await expect(page).toHaveURL('/');
    await expectToast(page, 'Flight Log Created');
    expect(await flights(stage)).toHaveLength(1);
  },
  { expects: LOST },
);

journey(
  'C58 B210: a check-in whose answer is lost is sent again, and is one check-in',
  async (stage) => {
    const { page } = stage;
    await checkingIn(stage);
    const network = await loseAnswers(page);
    await complete(page).click();
    await network.lost();
    expect(await flights(stage)).toMatchObject([{ end_hobbs: '1235.7' }]);
    await sendAgain(stage, complete(page));
    await expect(page).toHaveURL('/');
    await expectToast(page, 'Flight completed successfully');
    expect(await fuelRecords(stage)).toHaveLength(1);
  },
  { expects: LOST },
);

journey(
  'B210: a check-in that never got out leaves everything typed, and goes out once the network is back',
  async (stage) => {
    const { page } = stage;
    await checkingIn(stage);
    const network = await losePosts(page);
    await complete(page).click();
    await network.lost();
    expect(await flights(stage)).toMatchObject([{ end_hobbs: null }]);
    await sendAgain(stage, complete(page));
    await expect(page).toHaveURL('/');
    expect(await flights(stage)).toMatchObject([
      { end_hobbs: '1235.7', notes: 'Left brake soft.\nLanding light out.' },
    ]);
  },
  { expects: LOST },
);

journey(
  'B302: offline, the page keeps what is typed through press after press, and sends nothing by itself',
  async (stage) => {
    const { page, context } = stage;
    await checkingIn(stage);
    await context.setOffline(true);
    for (let press = 0; press < 3; press += 1) {
      await complete(page).click();
      await expectToast(page, 'Error', NOT_SENT, 'alert');
    }
    await expect(page.getByLabel('Notes', { exact: true })).toHaveValue('Left brake soft.\nLanding light out.');
    await context.setOffline(false);
    expect(await flights(stage)).toMatchObject([{ end_hobbs: null }]);
    await complete(page).click();
    await expect(page).toHaveURL('/');
    expect(await fuelRecords(stage)).toHaveLength(1);
  },
  { modes: WITH_SCRIPT, expects: LOST },
);
