import { expect } from '#tests/support/expect.ts';
import { withoutColumn } from '#tests/support/faults.ts';
import { sharedServer } from '#tests/support/worker.ts';
import { journey } from './support/journey.ts';

const UNEXPECTED = /status of 500/;

journey(
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
