import { expect } from '#tests/support/expect.ts';
import { noonZone } from '#tests/support/noon-zone.ts';
import { flyForDays } from './support/fly-for-days.ts';
import { journey } from './support/journey.ts';

journey(
  'a flight thirteen days back and the hours of a pilot are three presses from the dashboard (B738, B743)',
  async (ctx) => {
    const { page, visit, signIn, school, db } = ctx;
    await db.updateTable('schools').set({ time_zone: noonZone() }).where('id', '=', school.id).execute();
    await flyForDays(ctx, 120);
    const pilot = await school.user('student');
    const now = new Date();
    const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15, 12));
    await school.flight(pilot, await school.aircraft(), {
      ...{ created_at: lastMonth, completed_at: new Date(lastMonth.getTime() + 5_400_000), completed_by: pilot.id },
      ...{ start_hobbs: '100.0', start_tach: '90.0', end_hobbs: '101.25', end_tach: '91.0' },
    });
    await signIn(await school.user('administrator'));
    const open = async (name: string | RegExp) => {
      await page.getByRole('main').getByRole('link', { name }).first().click();
      await ctx.ready();
    };
    await visit('/');
    await open('View Flight History');
    const thirteenDaysBack = page.getByRole('navigation', { name: 'Days' }).getByRole('link').last();
    const day = (await thirteenDaysBack.textContent()) ?? 'a day';
    await thirteenDaysBack.click();
    await expect(page.getByRole('rowheader', { name: day })).toBeVisible();
    await open(/^Details of /);
    await expect(page.getByRole('dialog', { name: 'Flight Log Details' })).toBeVisible();
    await visit('/');
    for (const name of ['View Flight History', 'Hours by pilot', 'Last month']) await open(name);
    const hours = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: pilot.username }) });
    await expect(hours.getByRole('cell')).toHaveText(['1', '1.25', '1.00', '0.00', '0.00']);
  },
  { context: { viewport: { width: 390, height: 844 } } },
);

journey('a filter of the flight logs is part of their address, with script at once (B178, B179)', async (ctx) => {
  const { page, visit, signIn, school } = ctx;
  const pilot = await school.user('student');
  const [flown, other] = [await school.aircraft(), await school.aircraft()];
  await school.flight(pilot, flown);
  await school.flight(await school.user('student'), other);
  await signIn(pilot);
  await visit('/flight-logs');
  await page.getByRole('combobox', { name: 'Aircraft' }).selectOption({ value: String(flown.id) });
  if (ctx.mode !== 'with script') await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page.getByRole('row').filter({ has: page.getByRole('cell') })).toHaveCount(1);
  await expect(page).toHaveURL(new RegExp(`/flight-logs[?]aircraftId=${flown.id}(&|$)`));
});
