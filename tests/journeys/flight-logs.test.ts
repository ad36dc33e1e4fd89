import type { Page } from 'playwright';
import { expect } from 'playwright/test';
import { journey, type Stage, WITH_SCRIPT } from './support/journey.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Flight Log Details' });
const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('rowheader') });
const at = (hour: number, minute = 0) => new Date(Date.UTC(2026, 4, 12, hour, minute));

/** A completed lesson in one aircraft, and a flight in progress in another. */
async function arrive({ visit, signIn, school, db }: Stage, path = '/flight-logs') {
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
  await visit(path);
  return { student, instructor, flown, flying, lesson, open };
}

journey(
  'B011 B174-B177 C63: the list shows six columns, newest first, and In Progress where there is no end',
  async (stage) => {
    const { page } = stage;
    const { instructor, flown, flying } = await arrive(stage);
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
    await expect(open.getByRole('cell')).toHaveText([/2026/, 'In Progress', 'In Progress', '-', 'In Progress']);
    const lesson = rows(page).nth(1);
    await expect(lesson.getByRole('rowheader')).toContainText(flown.tailNumber);
    await expect(lesson.getByRole('cell')).toHaveText([/14:00/, /15:18/, /1\.3/, instructor.username, 'Completed']);
  },
);

journey('B178 B179: the filter leaves one aircraft, and is part of the address', async (stage) => {
  const { page, visit } = stage;
  const { flown, flying } = await arrive(stage);
  const filter = page.getByRole('combobox', { name: 'Aircraft' });
  await expect(filter.locator('option').first()).toHaveText('All Aircraft');
  await filter.selectOption({ value: String(flown.id) });
  if (stage.mode !== 'with script') await page.getByRole('button', { name: 'Filter' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(flown.tailNumber);
  await expect(page).toHaveURL(`/flight-logs?aircraftId=${flown.id}`);
  await visit(`/flight-logs?aircraftId=${flying.id}`);
  await expect(rows(page)).toHaveCount(1);
  await expect(filter).toHaveValue(String(flying.id));
});

journey(
  'B181-B189 C42 B324: a row leads to all there is to know of the flight, at an address of its own',
  async (stage) => {
    const { page } = stage;
    const { student, instructor, flown, lesson } = await arrive(stage);
    await page.getByRole('link', { name: `Details of ${flown.tailNumber}` }).click();
    await expect(page).toHaveURL(new RegExp(`log=${lesson}`));
    const facts: Record<string, string | RegExp> = {
      Aircraft: new RegExp(flown.tailNumber),
      Pilot: student.username,
      'Contact Email': student.email,
      'Hobbs Start': '1234.5',
      'Hobbs End': '1235.8',
      'Hobbs Hours': '1.3',
      'Tach Start': '987.6',
      'Tach End': '988.7',
      Instructor: instructor.username,
      'Time In': '13:45',
      'Time Out': '15:30',
      'Total Hours': '1.75',
      'Ground School Time': '0.25 hours',
      Refueled: 'Yes',
      'Oil Added': 'Yes',
      'Oil Quantity': /1\.5/,
      'Fuel Notes': 'Topped off',
      Started: /14:00/,
      Completed: /15:18/,
    };
    for (const [term, detail] of Object.entries(facts)) {
      await expect(fact(page, term)).toHaveText(detail);
    }
    await expect(dialog(page).getByRole('heading', { name: 'Squawks' })).toBeVisible();
    await expect(dialog(page).getByText('<b>Landing light</b> out.')).toBeVisible();
  },
);

journey('B184 B186 C63: a flight in progress has no end and no ground school', async (stage) => {
  const { page } = stage;
  const { open } = await arrive(stage);
  await stage.visit(`/flight-logs?log=${open}`);
  await expect(fact(page, 'Hobbs End')).toHaveText('In Progress');
  await expect(fact(page, 'Tach End')).toHaveText('In Progress');
  await expect(dialog(page).getByText('Ground School Time')).toBeHidden();
  await expect(dialog(page).getByText('None', { exact: true }).first()).toBeVisible();
});

journey('B181: details survive reload and Back, and Close leads to the list', async (stage) => {
  const { page, ready } = stage;
  const { flown } = await arrive(stage);
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
  'B181 B330: the dialog is modal, keeps its place in the list by arrow keys, closes on Escape and gives the focus back',
  async (stage) => {
    const { page } = stage;
    const { flown, flying, open, lesson } = await arrive(stage);
    const link = page.getByRole('link', { name: `Details of ${flying.tailNumber}` });
    await link.focus();
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByRole('heading', { name: 'Flight Log Details' })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL(new RegExp(`log=${lesson}`));
    await expect(fact(page, 'Aircraft')).toContainText(flown.tailNumber);
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

journey('B180 B278: only administrators are offered the export, of what they see', async (stage) => {
  const { page, visit, signIn, school } = stage;
  const { flown } = await arrive(stage);
  await expect(page.getByRole('link', { name: 'Export CSV' })).toBeHidden();
  await signIn(await school.user('administrator'));
  await visit(`/flight-logs?aircraftId=${flown.id}`);
  await expect(page.getByRole('link', { name: 'Export CSV' })).toHaveAttribute(
    'href',
    `/api/flight-logs/export?aircraftId=${flown.id}`,
  );
});

journey(
  'B329 C45: fifty flights make a page; Older and Newer keep the filter',
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

journey('B266 B321: an unknown flight is said to be so, and the list stays', async (stage) => {
  const { page, visit } = stage;
  await arrive(stage);
  const response = await visit('/flight-logs?log=2147483647');
  expect(response?.status()).toBe(404);
  await expect(page.getByText('Flight log not found')).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
});

journey('B329: without any flight the page says what to do next', async ({ page, visit, signIn, school }) => {
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
