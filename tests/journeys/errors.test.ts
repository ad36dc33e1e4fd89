import { expect } from '#tests/support/expect.ts';
import { withoutColumn } from '#tests/support/faults.ts';
import { sharedServer } from '#tests/support/worker.ts';
import { journey, nightlyJourney } from './support/journey.ts';

const UNEXPECTED = /status of 500/;

journey(
  'an error toast is destructive, titled Error, and says what the server says (B295)',
  async ({ page, visit, signIn, school, db }) => {
    await signIn(await school.user('administrator'));
    const plane = await school.aircraft();
    await visit(`/airplanes?confirm=delete-aircraft:${plane.id}`);
    await school.flight(await school.user('student'), plane);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();

    const toast = page.getByRole('alert').locator('.toast');
    await expect(toast).toHaveAttribute('data-tone', 'destructive');
    await expect(toast.getByText('Error', { exact: true })).toBeVisible();
    await expect(toast.getByText('This aircraft is checked out and cannot be deleted.', { exact: true })).toBeVisible();
    expect(await db.selectFrom('aircraft').select('id').where('id', '=', plane.id).execute()).toHaveLength(1);
  },
);

nightlyJourney(
  'a failed page says code, status text and request reference, leads home, and loads at the next try (B296, B542)',
  async ({ page, visit, ready, signIn, school, db }) => {
    await signIn(await school.user('student'));
    await visit('/ocr');
    await withoutColumn(db, 'scans', 'detected_text', async () => {
      await page.getByRole('link', { name: 'Scan History' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Error' })).toBeVisible();
      await expect(page.getByText('500: Internal Server Error', { exact: true })).toBeVisible();
      await expect(page.getByText('Something went wrong. Please try again.', { exact: true })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/');
      const reference = /[\da-f-]{36}$/.exec(await page.getByText(/^Reference/).innerText())?.[0];
      const { output } = await sharedServer();
      const lines = () =>
        output()
          .split('\n')
          .filter((line) => line.includes(`"reqId":"${reference}"`));
      await expect.poll(() => lines().join()).toContain('detected_text');
    });
    await page.reload();
    await ready();
    await expect(page.getByRole('heading', { level: 1, name: 'Scan History' })).toBeVisible();
  },
  { expects: UNEXPECTED },
);

journey("a page that is refused says code and the server's words (B297)", async ({ page, visit, signIn, school }) => {
  await signIn(await school.user('student'));
  expect((await visit('/flight-logs?aircraftId=N512FL'))?.status()).toBe(400);
  await expect(page.getByText('400: Invalid aircraft', { exact: true })).toBeVisible();
  expect((await visit('/ocr/1/save'))?.status()).toBe(403);
  await expect(page.getByText('403: Forbidden', { exact: true })).toBeVisible();
});
