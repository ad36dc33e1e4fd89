import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';
import { step } from './support/step.ts';

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const complete = (page: Page) => page.getByRole('button', { name: 'Complete Flight', exact: true });

journey(
  'what is odd, hours flown and when a late flight ended are said while they are typed (C80, B586, B588)',
  async ({ page, context, visit, signIn, school }) => {
    const pilot = await school.user('student');
    const instructor = await school.user('instructor');
    const plane = await school.aircraft({ last_hobbs: '1234.5', last_tach: '987.6' });
    const id = await school.flight(pilot, plane, { created_at: new Date(Date.now() - 26 * 3_600_000) });
    await signIn(pilot);
    await visit(`/flight-log/${id}/post-check`);
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
    await step('where what is typed is kept is said, with a connection and without one (C56)', async () => {
      await expect(page.getByText('Not sent yet. What you typed is kept for 12 hours.')).toBeVisible();
      await context.setOffline(true);
      await field(page, 'Notes').fill('Flat tyre');
      const words = 'Not sent yet. Without a connection, what you typed is kept on this device.';
      await expect(page.getByText(words)).toBeVisible();
    });
  },
  { modes: WITH_SCRIPT, expects: /ERR_INTERNET_DISCONNECTED/ },
);
