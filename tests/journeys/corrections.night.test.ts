import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { journey, type JourneyContext } from './support/journey.ts';
import { step } from './support/step.ts';
import { expectToast } from './support/toast.ts';

const HOUR = 60 * 60 * 1000;
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Flight Log Details' });

/** A student whose flight is under way, and an administrator. */
async function oversee({ school }: JourneyContext) {
  const student = await school.user('student');
  const admin = await school.user('administrator');
  const plane = await school.aircraft();
  const flight = await school.flight(student, plane);
  return { student, admin, plane, flight };
}

/** A student's last flight, completed an hour ago. */
async function landed({ school, db }: JourneyContext) {
  const student = await school.user('student');
  const plane = await school.aircraft({ last_hobbs: '1235.8', last_tach: '988.7' });
  const flight = await school.flight(student, plane, {
    created_at: new Date(Date.now() - 2 * HOUR),
    completed_at: new Date(Date.now() - HOUR),
    completed_by: student.id,
    end_hobbs: '1235.8',
    end_tach: '988.7',
  });
  const lastHobbs = async () =>
    (await db.selectFrom('aircraft').select('last_hobbs').where('id', '=', plane.id).executeTakeFirstOrThrow())
      .last_hobbs;
  return { student, plane, flight, lastHobbs };
}

journey(
  'an administrator closes a forgotten flight with a reason, and its pilot can check out again (C08)',
  async (ctx) => {
    const { page, visit, signIn } = ctx;
    const { student, admin } = await oversee(ctx);
    await signIn(admin);
    await visit('/');
    await step('close it without a reason', async () => {
      await page.getByRole('link', { name: 'Close on behalf' }).click();
      await expect(page.getByRole('heading', { name: 'Close on behalf' })).toBeVisible();
      await page.getByLabel('End Hobbs Time').fill('1234.5');
      await page.getByLabel('End Tach Time').fill('988.7');
      await page.getByRole('button', { name: 'Close flight' }).click();
      await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeFocused();
      await expect(page.getByLabel('Reason')).toHaveAccessibleDescription('Please give a reason');
      await expect(page.getByLabel('End Tach Time')).toHaveValue('988.7');
    });
    await step('close it with a reason', async () => {
      await page.getByLabel('End Hobbs Time').fill('1235.8');
      await page.getByLabel('Reason').fill('Left for home');
      await page.getByRole('button', { name: 'Close flight' }).click();
      await expectToast(page, 'Flight closed');
      await expect(page.getByText(`${admin.username}: Left for home`)).toBeVisible();
    });
    await step('the pilot checks out again', async () => {
      await signIn(student);
      await visit('/');
      await expect(page.getByRole('main').getByRole('link', { name: 'Check Out' })).toBeVisible();
    });
  },
);

journey('a pilot cancels a check-out that never flew; administrators find it by the filter (C09)', async (ctx) => {
  const { page, visit, signIn, school } = ctx;
  const { student, admin, plane, flight } = await oversee(ctx);
  await step('cancel the check-out as the pilot', async () => {
    await signIn(student);
    await visit(`/flight-log/${flight}/post-check`);
    await page.getByRole('link', { name: 'Cancel check-out' }).click();
    await page.getByLabel('Why did it not take place?').fill('Fog over the field');
    await page.getByRole('button', { name: 'Cancel check-out' }).click();
    await expectToast(page, 'Check-out cancelled');
    await expect(page.getByRole('main').getByRole('link', { name: 'Check Out' })).toBeVisible();
    await visit('/flight-logs');
    await expect(page.getByRole('table')).toBeHidden();
  });
  await step('find it by the filter as an administrator', async () => {
    await signIn(admin);
    await visit('/flight-logs');
    await page.getByText('More filters').click();
    await page.getByRole('combobox', { name: 'Show' }).selectOption({ label: 'Cancelled check-outs' });
    if (ctx.mode !== 'with script') await page.getByRole('button', { name: 'Filter' }).click();
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: plane.tailNumber }) });
    await expect(row).toContainText('Fog over the field');
    await expect(row).toContainText(student.username);
    await expect(page.getByRole('link', { name: 'Export CSV' })).toBeHidden();
  });
  await step('do not find it as an instructor', async () => {
    await signIn(await school.user('instructor'));
    await visit('/flight-logs?show=cancelled');
    await expect(page.getByText('Fog over the field')).toBeHidden();
    await page.getByText('More filters').click();
    await expect(page.getByRole('combobox', { name: 'Status' })).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Show' })).toBeHidden();
  });
});

journey('readings are corrected only after what changes was shown, and the flight says so (C10, C11)', async (ctx) => {
  const { page, visit, signIn } = ctx;
  const { student, flight, lastHobbs } = await landed(ctx);
  await signIn(student);
  await visit(`/flight-logs?log=${flight}`);
  const last = page.getByRole('row').filter({ hasText: 'Last Hobbs of the aircraft' });
  await step('show what changes (C11)', async () => {
    await dialog(page).getByRole('link', { name: 'Correct flight' }).click();
    await expect(page.getByLabel('End Hobbs Time')).toHaveValue('1235.8');
    await expect(page.getByRole('button', { name: 'Save correction' })).toBeHidden();
    await page.getByLabel('End Hobbs Time').fill('1235.6');
    await page.getByLabel('Reason').fill('Misread the drum');
    // Enter shows, it never saves.
    await page.getByLabel('End Hobbs Time').press('Enter');
    await expect(page.getByRole('heading', { name: 'What changes' })).toBeFocused();
    await expect(last.getByRole('cell')).toHaveText(['1235.8', '1235.6']);
    await expect(page.getByLabel('Reason')).toHaveValue('Misread the drum');
    expect(await lastHobbs()).toBe('1235.8');
  });
  await step('save something else than what was shown (C11)', async () => {
    await page.getByLabel('End Hobbs Time').fill('1235.7');
    await page.getByRole('button', { name: 'Save correction' }).click();
    await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeFocused();
    await expect(page.getByRole('listitem').filter({ hasText: 'Please look at it once more.' })).toBeVisible();
  });
  await step('show that, and save it (C10)', async () => {
    await page.getByRole('button', { name: 'Show what changes' }).click();
    await expect(last.getByRole('cell')).toHaveText(['1235.8', '1235.7']);
    await page.getByRole('button', { name: 'Save correction' }).click();
    await expectToast(page, 'Flight corrected');
    await expect(page.getByText('Corrected', { exact: true })).toBeVisible();
    await expect(page.getByText('Hobbs End 1235.8 → 1235.7: Misread the drum')).toBeVisible();
    expect(await lastHobbs()).toBe('1235.7');
  });
});

journey('an administrator grounds the aircraft from the squawks of a flight (C77)', async (ctx) => {
  const { page, visit, signIn, school } = ctx;
  const { plane, flight } = await landed(ctx);
  await signIn(await school.user('administrator'));
  await visit(`/flight-logs?log=${flight}`);
  await dialog(page).getByRole('button', { name: 'Set to Maintenance' }).click();
  await expectToast(page, 'Aircraft status updated successfully');
  await expect(page).toHaveURL(`/flight-logs/${flight}`);
  await expect(page.getByRole('button', { name: 'Set to Maintenance' })).toBeHidden();
  await visit('/airplanes');
  await expect(page.getByRole('listitem').filter({ hasText: plane.tailNumber })).toContainText('In Maintenance');
});

journey(
  'an instructor saves a scanned reading as the last reading of the aircraft (C46)',
  async ({ page, visit, signIn, school, db }) => {
    const instructor = await school.user('instructor');
    const plane = await school.aircraft({ last_hobbs: '1234.5' });
    const owned = { school_id: school.id, user_id: instructor.id };
    const photo = await db
      .insertInto('photos')
      .values({ ...owned, content: Buffer.from('/9j/', 'base64'), width: 1, height: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const scan = await db
      .insertInto('scans')
      .values({
        ...owned,
        aircraft_id: plane.id,
        photo_id: photo.id,
        meter_type: 'hobbs',
        detected_text: '1236.0',
        confidence: '0.9',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await signIn(instructor);
    await visit(`/ocr?aircraftId=${plane.id}&scan=${scan.id}`);
    await page.getByRole('button', { name: 'Save 1236.0 as last Hobbs' }).click();
    await expectToast(page, 'Reading saved', `${plane.tailNumber} now stands at 1236.0.`);
    await expect(page.getByRole('listitem').filter({ hasText: plane.tailNumber })).toContainText('1236.0');
  },
);
