import type { Page } from 'playwright';
import { PASSWORD } from '#tests/support/school.ts';
import { expect } from '#tests/support/expect.ts';
import { journey } from './support/journey.ts';
import { step } from './support/step.ts';

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('rowheader') });

journey(
  'a wrong password is found from the dashboard in three clicks, and by person and days (B460, B466)',
  async ({ page, school, signIn, visit, ready, mode }) => {
    const begun = new Date().toISOString().slice(0, 10);
    const administrator = await school.user('administrator');
    const student = await school.user('student');
    await visit('/login');
    for (const password of ['wrong!', PASSWORD]) {
      await page.getByLabel('Username').fill(student.username);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Login' }).click();
      await (
        password === PASSWORD
          ? page.getByRole('heading', { name: 'Welcome' })
          : page.getByText('Invalid username or password').first()
      ).waitFor();
    }
    await signIn(administrator);
    await visit('/');
    await page.getByRole('link', { name: 'School', exact: true }).click();
    await page.getByRole('main').getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
    await expect(rows(page)).toHaveCount(3);
    await expect(rows(page).first()).toContainText(`${student.username} signed in`);
    await expect(rows(page).nth(1)).toContainText(`${student.username} signed in on a new device`);
    await expect(rows(page).nth(2)).toContainText(`Sign-in as ${student.username} failed`);

    const filter = async (label: string, option: string) => {
      await page.getByLabel(label, { exact: true }).selectOption({ label: option });
      if (mode === 'without script') await page.getByRole('button', { name: 'Filter' }).click();
    };
    await step('by kind', async () => {
      await filter('Activity', 'Wrong password or username');
      await expect(rows(page)).toHaveCount(1);
      await expect(rows(page)).toContainText(`Sign-in as ${student.username} failed: wrong password`);
      await expect(rows(page)).toContainText('Refused');
      expect(new URL(page.url()).searchParams.get('kind')).toBe('failed to sign in');
    });
    await step('by person', async () => {
      await filter('Person', administrator.username);
      await expect(rows(page)).toHaveCount(0);
      await page.getByRole('link', { name: 'Show all activity' }).click();
      await expect(rows(page)).toHaveCount(3);
      await expect(page.getByLabel('Person')).toHaveValue('');
    });
    await step('by days', async () => {
      await ready();
      const today = new Date().toISOString().slice(0, 10);
      await page.getByLabel('From').fill(begun);
      await page.getByLabel('To').fill(today);
      await expect(rows(page)).toHaveCount(3);
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.waitForURL((url) => url.searchParams.get('to') === today);
      await expect(rows(page)).toHaveCount(3);
      await page.getByLabel('To').fill('2020-01-01');
      await page.getByRole('button', { name: 'Filter' }).click();
      await expect(rows(page)).toHaveCount(0);
    });
  },
);
