import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { noonZone } from '#tests/support/noon-zone.ts';
import { flyForDays } from './support/fly-for-days.ts';
import { journey, WITH_SCRIPT, type JourneyContext } from './support/journey.ts';
import { step } from './support/step.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Flight Log Details' });
const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') });
const at = (hour: number, minute = 0) => new Date(Date.UTC(2026, 4, 12, hour, minute));

/** A student who has signed in, with a completed lesson in one aircraft and a flight in progress in another. */
async function prepare({ signIn, school, db }: JourneyContext) {
  const student = await school.user('student');
  const instructor = await school.user('instructor');
  const flown = await school.aircraft();
  const flying = await school.aircraft({ make: 'Piper', model: 'PA-28-181' });
  const lesson = await school.flight(student, flown, {
    created_at: at(14),
    completed_at: at(15, 18),
    completed_by: student.id,
    end_hobbs: '1235.8',
    end_tach: '988.7',
    instructor_id: instructor.id,
    instructor_time_in: '13:45',
    instructor_time_out: '15:30',
    ground_school_time: '0.25',
    notes: 'Left brake soft.\n<b>Landing light</b> out.',
  });
  await db
    .insertInto('fuel_records')
    .values({
      school_id: school.id,
      flight_log_id: lesson,
      refueled: true,
      oil_added: true,
      oil_quantity: '1.5',
      notes: 'Topped off',
    })
    .execute();
  const open = await school.flight(student, flying, { created_at: at(16) });
  await signIn(student);
  return { student, instructor, flown, flying, lesson, open };
}

async function arrive(ctx: JourneyContext) {
  const prepared = await prepare(ctx);
  await ctx.visit('/flight-logs');
  return prepared;
}

journey(
  'flight logs have six columns under each day, newest first, open ones In Progress (B011, B174-B177, B730, C63)',
  async (ctx) => {
    const { page } = ctx;
    const { instructor, flown, flying } = await arrive(ctx);
    await expect(page.getByRole('columnheader')).toHaveText([
      'Aircraft',
      'Start Time',
      'End Time',
      'Duration',
      'Instructor',
      'Status',
    ]);
    await expect(rows(page)).toHaveCount(2);
    const open = rows(page).nth(0);
    await expect(open.getByRole('rowheader')).toContainText(flying.tailNumber);
    await expect(page.getByRole('rowheader', { name: 'Tue 12 May 2026, UTC · 2 flights · 1.3 h Hobbs' })).toBeVisible();
    await expect(open.getByRole('cell')).toHaveText(['16:00', 'In Progress', 'In Progress', '-', 'In Progress']);
    const lesson = rows(page).nth(1);
    await expect(lesson.getByRole('rowheader')).toContainText(flown.tailNumber);
    await expect(lesson.getByRole('cell')).toHaveText(['14:00', '15:18', /1\.3/, instructor.username, 'Completed']);
  },
);

journey(
  'the aircraft filter of the flight logs leaves one aircraft, and is part of the address (B178, B179)',
  async (ctx) => {
    const { page, visit } = ctx;
    const { flown, flying } = await arrive(ctx);
    const filter = page.getByRole('combobox', { name: 'Aircraft' });
    await expect(filter.locator('option').first()).toHaveText('All Aircraft');
    await filter.selectOption({ value: String(flown.id) });
    if (ctx.mode !== 'with script') await page.getByRole('button', { name: 'Filter' }).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText(flown.tailNumber);
    await expect(page).toHaveURL(new RegExp(`/flight-logs[?]aircraftId=${flown.id}(&|$)`));
    await visit(`/flight-logs?aircraftId=${flying.id}`);
    await expect(rows(page)).toHaveCount(1);
    await expect(filter).toHaveValue(String(flying.id));
  },
);

journey(
  'a row of the flight logs leads to the details of the flight, at an address of its own (B181, B324, C42)',
  async (ctx) => {
    const { page } = ctx;
    const { student, instructor, flown, lesson } = await arrive(ctx);
    await page.getByRole('link', { name: `Details of ${flown.tailNumber}` }).click();
    await expect(page).toHaveURL(new RegExp(`log=${lesson}`));
    const expectFacts = async (facts: Record<string, string | RegExp>) => {
      for (const [term, detail] of Object.entries(facts)) await expect(fact(page, term)).toHaveText(detail);
    };
    await step('aircraft and pilot (B182, B183)', () =>
      expectFacts({ Aircraft: new RegExp(flown.tailNumber), Pilot: student.username, 'Contact Email': student.email }),
    );
    await step('readings (B184, C42)', () =>
      expectFacts({
        'Hobbs Start': '1234.5',
        'Hobbs End': '1235.8',
        'Hobbs Hours': '1.3',
        'Tach Start': '987.6',
        'Tach End': '988.7',
      }),
    );
    await step('instructor and ground school (B185, B186)', () =>
      expectFacts({
        Instructor: instructor.username,
        'Time In': '13:45',
        'Time Out': '15:30',
        'Total Hours': '1.75',
        'Ground School Time': '0.25 hours',
      }),
    );
    await step('fuel and oil (B187)', () =>
      expectFacts({ Refueled: 'Yes', 'Oil Added': 'Yes', 'Oil Quantity': /1\.5/, 'Fuel Notes': 'Topped off' }),
    );
    await step('squawks, as text (B188, B324)', async () => {
      await expect(dialog(page).getByRole('heading', { name: 'Squawks' })).toBeVisible();
      await expect(dialog(page).getByText('<b>Landing light</b> out.')).toBeVisible();
    });
    await step('times (B189)', () => expectFacts({ Started: /14:00/, Completed: /15:18/ }));
  },
);

journey('the details of a flight in progress have no end and no ground school (B184, B186, C63)', async (ctx) => {
  const { page } = ctx;
  const { open } = await prepare(ctx);
  await ctx.visit(`/flight-logs?log=${open}`);
  await expect(fact(page, 'Hobbs End')).toHaveText('In Progress');
  await expect(fact(page, 'Tach End')).toHaveText('In Progress');
  await expect(dialog(page).getByText('Ground School Time')).toBeHidden();
  await expect(dialog(page).getByText('None', { exact: true }).first()).toBeVisible();
});

journey('the details of a flight survive reload and browser Back, and Close leads to the list (B181)', async (ctx) => {
  const { page, ready } = ctx;
  const { flown } = await arrive(ctx);
  await page.getByRole('link', { name: `Details of ${flown.tailNumber}` }).click();
  await expect(dialog(page)).toBeVisible();
  await page.reload();
  await ready();
  await expect(dialog(page)).toBeVisible();
  await page.goBack();
  await ready();
  await expect(dialog(page)).toBeHidden();
  await page.goForward();
  await ready();
  await dialog(page).getByRole('link', { name: 'Close' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(rows(page)).toHaveCount(2);
});

journey(
  'the dialog of a flight goes between flights by arrow keys, closes on Escape and returns the focus (B181, B330)',
  async (ctx) => {
    const { page } = ctx;
    const { flown, flying, open, lesson } = await arrive(ctx);
    const link = page.getByRole('link', { name: `Details of ${flying.tailNumber}` });
    await link.focus();
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByRole('heading', { name: 'Flight Log Details' })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL(new RegExp(`log=${lesson}`));
    await expect(fact(page, 'Aircraft')).toContainText(flown.tailNumber);
    await expect(dialog(page).getByRole('heading', { name: 'Flight Log Details' })).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await expect(page).toHaveURL(new RegExp(`log=${open}`));
    await expect(fact(page, 'Aircraft')).toContainText(flying.tailNumber);
    await expect(dialog(page).getByRole('heading', { name: 'Flight Log Details' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    await expect(link).toBeFocused();
    // The whole row is a target; the link stays its only tab stop.
    await rows(page).nth(1).getByRole('cell').nth(2).click({ force: true });
    await expect(fact(page, 'Aircraft')).toContainText(flown.tailNumber);
  },
  { modes: WITH_SCRIPT, context: { viewport: { width: 1280, height: 800 } } },
);

journey(
  'the flight logs offer administrators alone the export, with the filter that is set (B180, B278)',
  async (ctx) => {
    const { page, visit, signIn, school } = ctx;
    const { flown } = await arrive(ctx);
    await expect(page.getByRole('link', { name: 'Export CSV' })).toBeHidden();
    await signIn(await school.user('administrator'));
    await visit(`/flight-logs?aircraftId=${flown.id}`);
    await expect(page.getByRole('link', { name: 'Export CSV' })).toHaveAttribute(
      'href',
      `/api/flight-logs/export?aircraftId=${flown.id}`,
    );
  },
);

journey(
  'fifty flights make a page of the flight logs; Older and Newer keep the filter (B329, C45)',
  async ({ page, visit, signIn, school, db }) => {
    const pilot = await school.user('student');
    const plane = await school.aircraft();
    await db
      .insertInto('flight_logs')
      .values(
        Array.from({ length: 51 }, (_, index) => ({
          school_id: school.id,
          aircraft_id: plane.id,
          user_id: pilot.id,
          start_hobbs: String(100 + index),
          start_tach: String(90 + index),
          end_hobbs: String(101 + index),
          end_tach: String(91 + index),
          created_at: new Date(Date.UTC(2026, 2, 1, 8 + index)),
          completed_at: new Date(Date.UTC(2026, 2, 1, 9 + index)),
          completed_by: pilot.id,
        })),
      )
      .execute();
    await signIn(pilot);
    await visit(`/flight-logs?aircraftId=${plane.id}`);
    await expect(rows(page)).toHaveCount(50);
    await page.getByRole('link', { name: 'Older' }).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(page).toHaveURL(new RegExp(`aircraftId=${plane.id}`));
    await page.getByRole('link', { name: 'Newer' }).click();
    await expect(rows(page)).toHaveCount(50);
  },
);

/** A pilot who flew 1.25 hours last month, and never else. */
async function flyLastMonth({ school, db }: JourneyContext) {
  const pilot = await school.user('student');
  const now = new Date();
  const created_at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15, 12));
  const completed_at = new Date(created_at.getTime() + 5_400_000);
  const readings = { start_hobbs: '100.0', start_tach: '90.0', end_hobbs: '101.25', end_tach: '91.0' };
  await db
    .insertInto('flight_logs')
    .values({
      school_id: school.id,
      aircraft_id: (await school.aircraft()).id,
      user_id: pilot.id,
      created_at,
      completed_at,
      completed_by: pilot.id,
      ...readings,
    })
    .execute();
  return pilot;
}

const MONDAY = 'a flight thirteen days back and the hours of a pilot are three presses from the dashboard (B738, B743)';

journey(
  MONDAY,
  async (ctx) => {
    const { page, visit, signIn, school, db } = ctx;
    await db.updateTable('schools').set({ time_zone: noonZone() }).where('id', '=', school.id).execute();
    await flyForDays(ctx, 120);
    const pilot = await flyLastMonth(ctx);
    await signIn(await school.user('administrator'));
    await visit('/');
    const open = async (name: string | RegExp) => {
      await page.getByRole('main').getByRole('link', { name }).first().click();
      await ctx.ready();
    };
    await open('View Flight History');
    const thirteenDaysBack = page.getByRole('navigation', { name: 'Days' }).getByRole('link').last();
    const day = (await thirteenDaysBack.getAttribute('aria-label')) ?? '';
    await thirteenDaysBack.click();
    await expect(page.getByRole('rowheader', { name: day })).toBeVisible();
    await open(/^Details of /);
    await expect(dialog(page)).toBeVisible();
    await visit('/');
    await open('View Flight History');
    await open('Hours by pilot');
    await open('Last month');
    const hours = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: pilot.username }) });
    await expect(hours.getByRole('cell')).toHaveText(['1', '1.25', '1.00', '0.00', '0.00']);
  },
  { context: { viewport: { width: 390, height: 844 } } },
);

journey('the address of an unknown flight says so beside the list (B266, B321)', async (ctx) => {
  const { page, visit } = ctx;
  await prepare(ctx);
  const response = await visit('/flight-logs?log=2147483647');
  expect(response?.status()).toBe(404);
  await expect(page.getByText('Flight log not found')).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
});

journey('the flight logs without any flight offer Check Out (B329)', async ({ page, visit, signIn, school }) => {
  await signIn(await school.user('student'));
  await visit('/flight-logs');
  await expect(page.getByRole('main').getByRole('link', { name: 'Check Out' })).toHaveAttribute('href', '/flight-log');
});

function fact(page: Page, term: string) {
  const name = dialog(page)
    .locator('dt')
    .filter({ hasText: new RegExp(`^${term}$`) });
  return name.locator('xpath=following-sibling::dd[1]');
}
