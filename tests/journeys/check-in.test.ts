import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { journey } from './support/journey.ts';
import { step } from './support/step.ts';

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const complete = (page: Page) => page.getByRole('button', { name: 'Complete Flight', exact: true });
const summary = (page: Page) => page.getByRole('heading', { name: 'There is a problem' });

journey(
  'a check-in with errors focuses a summary, marks the fields and keeps what was typed (B201, B206, B210, B330)',
  async ({ page, visit, signIn, school, db }) => {
    const pilot = await school.user('student');
    const instructor = await school.user('instructor');
    const id = await school.flight(pilot, await school.aircraft());
    await signIn(pilot);
    await visit(`/flight-log/${id}/post-check`);
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
      await field(page, 'End Hobbs Time').fill('1235.8');
      await field(page, 'End Tach Time').fill('988.7');
      await complete(page).click();
      await expect(page).toHaveURL('/');
    });
    await step('find everything typed in the database (B210)', async () => {
      const flight = db.selectFrom('flight_logs').selectAll().where('id', '=', id);
      expect(await flight.executeTakeFirst()).toMatchObject({
        instructor_id: instructor.id,
        instructor_time_in: '13:45',
        instructor_time_out: '15:30',
        ground_school_time: '0.75',
        notes: 'Left brake soft.\nLanding light out.',
      });
      const fuel = db.selectFrom('fuel_records').selectAll().where('flight_log_id', '=', id);
      expect(await fuel.executeTakeFirst()).toMatchObject({
        refueled: true,
        oil_added: true,
        oil_quantity: '1.5',
        notes: 'Pump 2',
      });
    });
  },
);
