import { expect } from '#tests/support/expect.ts';
import { journey } from './support/journey.ts';
import { step } from './support/step.ts';

const HOUR = 60 * 60_000;

journey(
  'a late check-in says when the flight ended, and the hours of its instructor are questioned (B660, B933, C83)',
  async (ctx) => {
    const { page, mode } = ctx;
    const pilot = await ctx.school.user('student');
    await ctx.school.user('instructor', `ivan-${pilot.id}`);
    const plane = await ctx.school.aircraft({ last_hobbs: '1234.5', last_tach: '987.6' });
    const id = await ctx.school.flight(pilot, plane, { created_at: new Date(Date.now() - 26 * HOUR) });
    await ctx.signIn(pilot);
    const field = (label: string) => page.getByLabel(label, { exact: true });
    const complete = page.getByRole('button', { name: 'Complete Flight', exact: true });

    await ctx.visit(`/flight-log/${id}/post-check`);
    await expect(page.getByText('Checked out 26.0 h ago. When did the flight end?')).toBeVisible();
    await field('End Hobbs Time').fill('1235.8');
    await field('End Tach Time').fill('988.7');
    await field('Instructor (Optional)').selectOption(`ivan-${pilot.id}`);
    await field('Instructor Time In').fill('14:00');
    await field('Time Out').fill('05:00');
    if (mode === 'with script') {
      await expect(page.getByText('Checked out 26.0 h ago, flown 1.3 h. When did the flight end?')).toBeVisible();
      await expect(page.getByText('Total: 15.00 hours, more than the flight (1.3 h)')).toBeVisible();
    }
    const { value } = await page.evaluate(() => {
      const input = document.createElement('input');
      input.type = 'datetime-local';
      input.valueAsNumber = Math.floor(Date.now() / 60_000) * 60_000 - 24.5 * 60 * 60_000;
      return { value: input.value };
    });
    await field('The flight ended at').fill(value);
    await step('the instructor’s hours are questioned', async () => {
      // With script the question is there before the answer: what is typed meanwhile outlives it.
      let answerNow = () => {};
      const typed = new Promise<void>((resolve) => (answerNow = resolve));
      await page.route('**/post-check.data*', async (route) => {
        const response = await route.fetch();
        await typed;
        await route.fulfill({ response });
      });
      await complete.click();
      await expect(field("The instructor's times are right")).toBeVisible();
      await expect(field('The flight ended at')).toHaveValue(value);
      await field('Time Out').fill('15:30');
      answerNow();
      await expect(complete).toBeEnabled();
      if (mode === 'with script') {
        await expect(field('Time Out')).toHaveAccessibleDescription('Total: 1.50 hours.');
        await expect(field("The instructor's times are right")).toBeHidden();
      }
    });
    await complete.click();
    await expect(page.getByText('Flight completed successfully')).toBeVisible();
    await ctx.visit(`/flight-logs/${id}`);
    await expect(page.getByText('1.5 hours', { exact: true })).toBeVisible();
    await expect(page.getByText('26.0 hours', { exact: true })).toBeVisible();
  },
);
