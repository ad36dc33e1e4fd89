import { expect } from '#tests/support/expect.ts';
import { journey } from './support/journey.ts';
import { step } from './support/step.ts';
import { expectToast } from './support/toast.ts';

journey('an administrator enters a past flight, whose odd readings are asked about (B897)', async (ctx) => {
  const { page, visit, signIn, school } = ctx;
  const admin = await school.user('administrator');
  const student = await school.user('student');
  const plane = await school.aircraft({ last_hobbs: '1235.8', last_tach: '988.7', created_at: new Date('2020-01-01') });
  await school.flight(student, plane, {
    created_at: new Date('2026-05-11T10:00:00Z'),
    ...{
      completed_at: new Date('2026-05-11T11:00:00Z'),
      completed_by: student.id,
      end_hobbs: '1235.8',
      end_tach: '988.7',
    },
  });
  await signIn(admin);
  await visit('/flight-logs');
  await step('with a start below the flight before', async () => {
    await page.getByRole('link', { name: 'Enter a Past Flight' }).click();
    await expect(page.getByRole('heading', { name: 'Enter a Past Flight' })).toBeVisible();
    await page.getByLabel('Aircraft').selectOption(plane.tailNumber);
    await page.getByLabel('Pilot').selectOption(student.username);
    await page.getByLabel('The flight departed at').fill('2026-05-12T10:00');
    await page.getByLabel('The flight ended at').fill('2026-05-12T11:00');
    await page.getByLabel('Start Hobbs Time').fill('1234.8');
    await page.getByLabel('End Hobbs Time').fill('1236.8');
    await page.getByLabel('Start Tach Time').fill('988.7');
    await page.getByLabel('End Tach Time').fill('989.6');
    await page.getByLabel('Reason').fill('The tablet was empty');
    await page.getByRole('button', { name: 'Enter Flight' }).click();
    await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeFocused();
    await expect(page.getByLabel('Start Hobbs Time')).toHaveAccessibleDescription(
      /Lower than the last recorded reading/,
    );
    await expect(page.getByLabel('Pilot')).toHaveValue(String(student.id));
    await expect(page.getByLabel('The flight ended at')).toHaveValue('2026-05-12T11:00');
  });
  await step('with the meters read again', async () => {
    await page.getByLabel('Start Hobbs Time').fill('1235.8');
    await page.getByLabel('I have read the meter again').check();
    await page.getByRole('button', { name: 'Enter Flight' }).click();
    await expectToast(page, 'Flight entered');
    await expect(
      page.getByText(/^Entered later by administrator-.* on .* 2\d\d\d: The tablet was empty$/),
    ).toBeVisible();
  });
});
