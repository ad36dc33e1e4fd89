import { expect } from '#tests/support/expect.ts';
import { delayPosts } from './support/delay-posts.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';
import { expectToast } from './support/toast.ts';
import {
  openReviewStep,
  buttonNamed,
  chooseAircraft,
  enterReadings,
  openFlights,
  reviewedValue,
  errorSummary,
} from './support/wizard.ts';

const NOTICE = 'You have an active flight in progress. Please complete your current flight before starting a new one.';
const GROUNDED = 'This aircraft is currently under maintenance and cannot be used for flights.';

journey(
  'an aircraft grounded during the review is not started, and the review stays on the page (B154, B157, B289)',
  async (ctx) => {
    const { page, db, visit } = ctx;
    const { plane } = await openReviewStep(ctx);
    await db.updateTable('aircraft').set({ maintenance_since: new Date() }).where('id', '=', plane.id).execute();
    await buttonNamed(page, 'Start Flight').click();
    await expectToast(page, 'Error', GROUNDED, 'alert');
    await expect(errorSummary(page)).toBeFocused();
    await expect(reviewedValue(page, 'Start Hobbs')).toHaveText('1234.5');
    await visit('/flight-log?step=2');
    await expect(page.getByText(GROUNDED)).toBeVisible();
    await expect(buttonNamed(page, 'Start Flight')).toBeHidden();
    expect(await openFlights(ctx)).toEqual([]);
  },
);

journey('of two wizard tabs with different aircraft, each starts the aircraft it shows (B325)', async (ctx) => {
  const { page, ready, tab, school, visit } = ctx;
  const { plane } = await openReviewStep(ctx);
  const other = await school.aircraft();
  const second = await tab();
  await visit('/flight-log', second);
  await chooseAircraft(second, other);
  await enterReadings(second, { hobbs: '55', tach: '44' });
  await expect(reviewedValue(second, 'Aircraft')).toContainText(other.tailNumber);

  await expect(reviewedValue(page, 'Aircraft')).toContainText(plane.tailNumber);
  await buttonNamed(page, 'Start Flight').click();
  await ready();
  await expect(page).toHaveURL('/');
  expect(await openFlights(ctx)).toMatchObject([{ aircraft_id: plane.id, start_hobbs: '1234.5', start_tach: '987.6' }]);
});

journey(
  'neither browser Back after Start Flight nor a tab left open starts a second flight (B159, B326)',
  async (ctx) => {
    const { page, ready, tab, visit } = ctx;
    await openReviewStep(ctx);
    const left = await tab();
    await visit('/flight-log?step=2', left);
    await buttonNamed(page, 'Start Flight').click();
    await expect(page).toHaveURL('/');

    await page.goBack();
    await ready();
    await expect(page.getByText(NOTICE)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Complete Post-Flight Check' })).toBeVisible();
    await expect(buttonNamed(page, 'Start Flight')).toBeHidden();

    await buttonNamed(left, 'Start Flight').click();
    await expect(left.getByText(NOTICE).first()).toBeVisible();
    expect(await openFlights(ctx)).toHaveLength(1);
  },
);

journey('pressing Start Flight twice starts one flight (C58, C61)', async (ctx) => {
  const { page } = ctx;
  await openReviewStep(ctx);
  await buttonNamed(page, 'Start Flight').dblclick({ noWaitAfter: true });
  await expect(page).toHaveURL('/');
  await expectToast(page, 'Flight Log Created');
  expect(await openFlights(ctx)).toHaveLength(1);
});

journey(
  'while a flight is being started the button says so and takes no second press (B157, C61)',
  async (ctx) => {
    const { page } = ctx;
    await openReviewStep(ctx);
    const post = await delayPosts(page);
    await buttonNamed(page, 'Start Flight').click();
    await expect(buttonNamed(page, 'Starting Flight...')).toHaveAttribute('aria-disabled', 'true');
    await buttonNamed(page, 'Starting Flight...').click({ force: true });
    post.release();
    await expect(page).toHaveURL('/');
    expect(await openFlights(ctx)).toHaveLength(1);
  },
  { modes: WITH_SCRIPT },
);
