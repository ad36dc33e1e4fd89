import { expect } from '#tests/support/expect.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';

const KEPT = 'Not sent yet. What you typed is kept for 12 hours.';
const LOST = 'Not sent yet. Without a connection, what you typed is kept on this device.';

journey(
  'a check-in that is typed but not sent is there in another tab, and gone once sent (C56)',
  async ({ page, visit, signIn, school, tab }) => {
    const pilot = await school.user('student');
    const id = await school.flight(pilot, await school.aircraft());
    await signIn(pilot);
    await visit(`/flight-log/${id}/post-check`);
    await page.getByLabel('End Hobbs Time').fill('1236');
    await page.getByLabel('Notes', { exact: true }).fill('Flat tyre');
    await expect(page.getByText(KEPT)).toBeVisible();

    const other = await tab();
    await visit(`/flight-log/${id}/post-check`, other);
    await expect(other.getByLabel('End Hobbs Time')).toHaveValue('1236');
    await expect(other.getByLabel('Notes', { exact: true })).toHaveValue('Flat tyre');
    await other.getByLabel('End Tach Time').fill('989');
    await other.getByRole('button', { name: 'Complete Flight' }).click();
    await expect(other).toHaveURL('/');
  },
  { modes: WITH_SCRIPT },
);

journey(
  'readings typed into the wizard outlive the tab; offline the page says that the device keeps them (C56)',
  async ({ page, context, visit, ready, signIn, school, tab }) => {
    await signIn(await school.user('student'));
    await school.aircraft();
    await visit('/flight-log');
    await page.getByLabel('Aircraft').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('Hobbs Time').fill('1234.5');
    await expect(page.getByText(KEPT)).toBeVisible();
    await context.setOffline(true);
    await page.getByLabel('Tach Time').fill('98');
    await expect(page.getByText(LOST)).toBeVisible();
    await expect(page.getByLabel('Tach Time')).toHaveValue('98');
    await context.setOffline(false);
    await page.close();

    const other = await tab();
    await visit('/flight-log?step=1', other);
    await ready(other);
    await expect(other.getByLabel('Hobbs Time')).toHaveValue('1234.5');
  },
  { modes: WITH_SCRIPT, expects: /ERR_INTERNET_DISCONNECTED/ },
);
