import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { cutOffFirstReader, withoutColumn } from '#tests/support/faults.ts';
import { delayPosts } from './support/delay-posts.ts';
import { journey, nightlyJourney, WITH_SCRIPT, type JourneyContext } from './support/journey.ts';
import { step } from './support/step.ts';
import { expectToast } from './support/toast.ts';

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const complete = (page: Page) => page.getByRole('button', { name: 'Complete Flight', exact: true });
const summary = (page: Page) => page.getByRole('heading', { name: 'There is a problem' });
const failure = (page: Page) => page.getByRole('heading', { level: 1, name: 'Error Loading Flight Log' });
const path = (id: number) => `/flight-log/${id}/post-check`;

/** A student who has signed in and whose flight from 1234.5 Hobbs and 987.6 tach, or from other readings, is under way. */
async function prepare({ school, signIn }: JourneyContext, start: { start_hobbs?: string; start_tach?: string } = {}) {
  const pilot = await school.user('student');
  const instructor = await school.user('instructor');
  const plane = await school.aircraft();
  const id = await school.flight(pilot, plane, start);
  await signIn(pilot);
  return { instructor, plane, id };
}

/** The same at the check-in page. */
async function arrive(ctx: JourneyContext, start?: Parameters<typeof prepare>[1]) {
  const prepared = await prepare(ctx, start);
  return { ...prepared, response: await ctx.visit(path(prepared.id)) };
}

async function finish(page: Page, endHobbs: string, endTach: string) {
  await field(page, 'End Hobbs Time').fill(endHobbs);
  await field(page, 'End Tach Time').fill(endTach);
  await complete(page).click();
}

function stored({ db }: JourneyContext, id: number) {
  return db.selectFrom('flight_logs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

nightlyJourney(
  'the check-in asks for oil quantity, receipt and instructor times once they make sense (B194, B197, B313, C73)',
  async (ctx) => {
    const { page } = ctx;
    const { instructor } = await arrive(ctx);
    const oil = field(page, 'Oil Quantity (Quarts)');
    const receipt = page.getByLabel('Fuel receipt photo');
    const times = ['Instructor Time In', 'Time Out'].map((label) => field(page, label));
    for (const hidden of [oil, receipt, ...times]) await expect(hidden).toBeHidden();
    await page.getByRole('switch', { name: 'Oil Added' }).check();
    await page.getByRole('switch', { name: 'Refueled' }).check();
    await field(page, 'Instructor (Optional)').selectOption(instructor.username);
    for (const shown of [oil, receipt, ...times]) await expect(shown).toBeVisible();
    for (const [name, value] of Object.entries({ type: 'number', step: '0.1', min: '0' })) {
      await expect(oil).toHaveAttribute(name, value);
    }
    for (const time of times) await expect(time).toHaveAttribute('type', 'time');
    await page.getByRole('switch', { name: 'Oil Added' }).uncheck();
    await field(page, 'Instructor (Optional)').selectOption('No instructor');
    for (const hidden of [oil, ...times]) await expect(hidden).toBeHidden();
  },
);

nightlyJourney(
  'a comma in the oil quantity is its decimal point, typed or pasted (B931)',
  async (ctx) => {
    const { page } = ctx;
    await arrive(ctx);
    await page.getByRole('switch', { name: 'Oil Added' }).check();
    const oil = field(page, 'Oil Quantity (Quarts)');
    await oil.pressSequentially('1,5');
    await expect(oil).toHaveValue('1.5');
    await oil.clear();
    await page.keyboard.insertText('2,5');
    await expect(oil).toHaveValue('2.5');
  },
  { modes: WITH_SCRIPT },
);

journey(
  'a check-in with errors focuses a summary, marks the fields and keeps what was typed (B201, B206, B210, B330)',
  async (ctx) => {
    const { page } = ctx;
    const { instructor, id } = await arrive(ctx);
    await step('fill in all but the readings, and a wrong oil quantity', async () => {
      await page.getByRole('switch', { name: 'Oil Added' }).check();
      await field(page, 'Oil Quantity (Quarts)').fill('-0.1');
      await page.getByRole('switch', { name: 'Refueled' }).check();
      await page.getByLabel('Fuel notes').fill('Pump 2');
      await field(page, 'Instructor (Optional)').selectOption(instructor.username);
      await field(page, 'Instructor Time In').fill('13:45');
      await field(page, 'Time Out').fill('15:30');
      await field(page, 'Ground School Time (Optional)').selectOption('0.75');
      await field(page, 'Notes').fill('Left brake soft.\nLanding light out.');
      await complete(page).click();
    });
    await step('read the errors (B201, B206)', async () => {
      await expect(summary(page)).toBeFocused();
      await expect(summary(page)).toBeInViewport();
      await expect(field(page, 'End Hobbs Time')).toHaveAccessibleDescription('End Hobbs time is required');
      await expect(field(page, 'End Tach Time')).toHaveAccessibleDescription('End Tach time is required');
      await expect(field(page, 'Oil Quantity (Quarts)')).toHaveAccessibleDescription(
        'e.g. 1.5 Oil quantity must be 0 or more',
      );
    });
    await step('correct them from the summary', async () => {
      await page.getByRole('link', { name: 'Oil quantity must be 0 or more' }).click();
      await expect(field(page, 'Oil Quantity (Quarts)')).toBeFocused();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('1.5');
      await finish(page, '1235.8', '988.7');
      await expect(page).toHaveURL('/');
    });
    await step('find everything typed in the database (B210)', async () => {
      expect(await stored(ctx, id)).toMatchObject({
        instructor_id: instructor.id,
        instructor_time_in: '13:45',
        instructor_time_out: '15:30',
        ground_school_time: '0.75',
        notes: 'Left brake soft.\nLanding light out.',
      });
      const fuel = await ctx.db
        .selectFrom('fuel_records')
        .selectAll()
        .where('flight_log_id', '=', id)
        .executeTakeFirst();
      expect(fuel).toMatchObject({ refueled: true, oil_added: true, oil_quantity: '1.5', notes: 'Pump 2' });
    });
  },
);

nightlyJourney('a check-in page whose data fails to load once is shown all the same (B212, B304)', async (ctx) => {
  const { page, db, visit } = ctx;
  const { id } = await prepare(ctx);
  await cutOffFirstReader(db, 'flight_logs', () => visit(path(id)));
  await expect(complete(page)).toBeVisible();
});

nightlyJourney(
  'a check-in page whose data fails to load twice says so in words, and is shown on the next visit (B211)',
  async (ctx) => {
    const { page, db, visit } = ctx;
    const { id } = await prepare(ctx);
    await withoutColumn(db, 'flight_logs', 'start_tach', async () => {
      expect((await visit(path(id)))?.status()).toBe(500);
    });
    await expect(failure(page)).toBeVisible();
    await expect(page.getByText('Failed to load flight log')).toBeVisible();
    await visit(path(id));
    await expect(complete(page)).toBeVisible();
  },
  { expects: /500/ },
);

nightlyJourney('a flight is completed even if the list of instructors cannot be loaded (B299)', async (ctx) => {
  const { page, db, visit } = ctx;
  const { id } = await prepare(ctx);
  await withoutColumn(db, 'users', 'username_key', () => visit(path(id)));
  await expect(page.getByText('Failed to fetch instructors')).toBeVisible();
  await finish(page, '1235.7', '988.4');
  await expect(page).toHaveURL('/');
});

nightlyJourney('a flight completed in another tab meanwhile stays as it was completed (B214, B286)', async (ctx) => {
  const { page, tab, visit } = ctx;
  const { id } = await arrive(ctx);
  const other = await tab();
  await visit(path(id), other);
  await finish(other, '1235.7', '988.4');
  await expect(other).toHaveURL('/');

  await finish(page, '1300', '1100');
  await expect(page.getByText('This flight has already been completed.')).toBeVisible();
  await page.getByRole('link', { name: 'View Flight Log' }).click();
  await expect(page).toHaveURL(`/flight-logs/${id}`);
  await expect(page.getByRole('main')).toContainText('1235.7');
  expect(await stored(ctx, id)).toMatchObject({ end_hobbs: '1235.7', end_tach: '988.4' });
});

nightlyJourney('pressing Complete Flight twice completes it once (C58, C61)', async (ctx) => {
  const { page } = ctx;
  const { id } = await arrive(ctx);
  await page.getByRole('switch', { name: 'Refueled' }).check();
  await field(page, 'End Hobbs Time').fill('1235.7');
  await field(page, 'End Tach Time').fill('988.4');
  await complete(page).dblclick({ noWaitAfter: true });
  await expect(page).toHaveURL('/');
  await expectToast(page, 'Flight completed successfully');
  const fuel = await ctx.db.selectFrom('fuel_records').select('id').where('flight_log_id', '=', id).execute();
  expect(fuel).toHaveLength(1);
});

nightlyJourney(
  'hours and errors follow what is typed at check-in, and the button says that it completes (B202, B200, C61)',
  async (ctx) => {
    const { page } = ctx;
    await arrive(ctx);
    await field(page, 'End Hobbs Time').pressSequentially('1234.5');
    await expect(page.getByText('End Hobbs time must be greater than start time')).toBeVisible();
    await field(page, 'End Hobbs Time').fill('1235.7');
    await expect(page.getByText('1.2 h since the start.')).toBeVisible();
    await field(page, 'End Tach Time').fill('988.4');
    const post = await delayPosts(page);
    await complete(page).click();
    const pending = page.getByRole('button', { name: 'Completing Flight...' });
    await expect(pending).toHaveAttribute('aria-disabled', 'true');
    await pending.click({ force: true });
    post.release();
    await expect(page).toHaveURL('/');
  },
  { modes: WITH_SCRIPT },
);
