import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { journey, nightlyJourney, WITH_SCRIPT, type JourneyContext } from './support/journey.ts';
import { step } from './support/step.ts';

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const complete = (page: Page) => page.getByRole('button', { name: 'Complete Flight', exact: true });
const changed = (page: Page, meter: 'Hobbs' | 'Tach') =>
  page
    .getByRole('group', { name: `${meter} meter` })
    .getByRole('checkbox', { name: 'The meter was replaced or has rolled over' });

async function depart({ school, signIn }: JourneyContext, start: { start_hobbs?: string; created_at?: Date } = {}) {
  const pilot = await school.user('student');
  const plane = await school.aircraft({ last_hobbs: '1234.5', last_tach: '987.6' });
  const id = await school.flight(pilot, plane, start);
  await signIn(pilot);
  return { id, plane };
}

function stored({ db }: JourneyContext, id: number) {
  return db.selectFrom('flight_logs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

nightlyJourney(
  'an odd end asks for a tick, and a wrong start is put right in the same form (C80, C81, B586)',
  async (ctx) => {
    const { page } = ctx;
    const { id } = await depart(ctx, { start_hobbs: '12345.0' });
    await ctx.visit(`/flight-log/${id}/post-check`);
    await field(page, 'End Hobbs Time').fill('1235.8');
    await field(page, 'End Tach Time').fill('988.7');
    await complete(page).click();
    await step('the refusal asks for the start', async () => {
      await expect(page.getByText('Was the start reading wrong? It says 12345.0.')).toBeVisible();
      await expect(field(page, 'Why the start was wrong')).toHaveValue('Misread at the check-out');
      await field(page, 'Start Hobbs Time').fill('1234.5');
    });
    await step('a slip at the end asks for a tick', async () => {
      await field(page, 'End Hobbs Time').fill('12358.0');
      await complete(page).click();
      await expect(field(page, 'I have read the meter again')).toBeVisible();
      await expect(page.getByText('Is a digit wrong? 1235.8 would fit the tach meter').first()).toBeVisible();
    });
    await field(page, 'End Hobbs Time').fill('1235.8');
    await complete(page).click();
    await expect(page.getByText('Hobbs 1.3 h, tach 1.1 h')).toBeVisible();
    expect(await stored(ctx, id)).toMatchObject({ start_hobbs: '1234.5', end_hobbs: '1235.8', hobbs_hours: '1.30' });
  },
);

nightlyJourney(
  'a meter that rolled over is declared at the check-in, and its hours are in the details (C82, B587)',
  async (ctx) => {
    const { page } = ctx;
    const { id } = await depart(ctx, { start_hobbs: '9999.4' });
    await ctx.visit(`/flight-log/${id}/post-check`);
    await expect(field(page, "Old meter's last reading").first()).toBeHidden();
    await page.getByText('Meter replaced?').click();
    await changed(page, 'Hobbs').check();
    await field(page, "Old meter's last reading").first().fill('9999.9');
    await field(page, "New meter's first reading").first().fill('0.0');
    await field(page, 'What happened').first().selectOption('rolled over');
    await field(page, 'End Hobbs Time').fill('0.8');
    await field(page, 'End Tach Time').fill('988.7');
    await complete(page).click();
    await expect(page.getByText('Hobbs 1.3 h, tach 1.1 h')).toBeVisible();
    await ctx.visit(`/flight-logs?log=${id}`);
    await expect(page.getByText('Rolled over at 9999.9, went on from 0.0')).toBeVisible();
  },
);

journey(
  'what is odd, hours flown and when a late flight ended are said while they are typed (C80, B586, B588)',
  async (ctx) => {
    const { page } = ctx;
    const { id } = await depart(ctx, { start_hobbs: '1234.5', created_at: new Date(Date.now() - 26 * 3_600_000) });
    const instructor = await ctx.school.user('instructor');
    await ctx.visit(`/flight-log/${id}/post-check`);
    const hobbs = field(page, 'End Hobbs Time');
    const tick = field(page, 'I have read the meter again');
    await step('why a reading was refused stands beside it, until something else is typed (B933)', async () => {
      await hobbs.fill('1230.0');
      await field(page, 'End Tach Time').fill('988.7');
      await complete(page).click();
      await expect(hobbs).toHaveAttribute('aria-invalid', 'true');
      await expect(hobbs).toHaveAccessibleDescription('End Hobbs time must be greater than start time');
      await hobbs.fill('1235.8');
      await expect(hobbs).not.toHaveAttribute('aria-invalid');
    });
    await step('a slip at the end asks for a tick, and for the start (B586, B588)', async () => {
      await expect(tick).toBeHidden();
      await hobbs.fill('1253.8');
      await expect(hobbs).toHaveAccessibleDescription(/^Is a digit wrong\? 1235.8 would fit the tach meter/);
      await expect(tick).toBeVisible();
      await expect(field(page, 'Start Hobbs Time')).toBeVisible();
      await hobbs.fill('1235.8');
      await expect(hobbs).toHaveAccessibleDescription('1.3 h since the start.');
      await expect(tick).toBeHidden();
    });
    await step("a late flight asks when it ended, and an instructor's total is questioned (B660)", async () => {
      await expect(page.getByText('Checked out 26.0 h ago, flown 1.3 h. When did the flight end?')).toBeVisible();
      await field(page, 'Instructor (Optional)').selectOption(instructor.username);
      await field(page, 'Instructor Time In').fill('14:00');
      await field(page, 'Time Out').fill('05:00');
      await expect(page.getByText('Total: 15.00 hours, more than the flight (1.3 h)')).toBeVisible();
      await field(page, 'Time Out').fill('15:30');
      await expect(field(page, 'Time Out')).toHaveAccessibleDescription('Total: 1.50 hours.');
    });
  },
  { modes: WITH_SCRIPT },
);

nightlyJourney(
  'beside a reading stands either why it was refused or what is said of what is typed since (B933)',
  async (ctx) => {
    const { page } = ctx;
    const { id } = await depart(ctx);
    const hobbs = field(page, 'End Hobbs Time');
    await ctx.visit(`/flight-log/${id}/post-check`);
    await hobbs.fill('1230.0');
    await field(page, 'End Tach Time').fill('988.7');
    await complete(page).click();
    await expect(hobbs).toHaveAttribute('aria-invalid', 'true');
    await expect(hobbs).toHaveAccessibleDescription('End Hobbs time must be greater than start time');
    await hobbs.fill('1253.8');
    await expect(hobbs).toHaveAccessibleDescription(/^Is a digit wrong\? 1235.8 would fit/);
    await complete(page).click();
    await hobbs.fill('1254.8');
    await expect(field(page, 'I have read the meter again')).toHaveAttribute('aria-invalid', 'true');
    await hobbs.fill('1235.8');
    await expect(hobbs).toHaveAccessibleDescription('1.3 h since the start.');
    await expect(hobbs).not.toHaveAttribute('aria-invalid');
    await expect(field(page, 'I have read the meter again')).toBeHidden();
    await complete(page).click();
    await expect(page.getByText('Hobbs 1.3 h, tach 1.1 h')).toBeVisible();
  },
  { modes: WITH_SCRIPT },
);
