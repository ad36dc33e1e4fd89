import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { withoutColumn } from '#tests/support/faults.ts';
import { takesAll } from '#tests/support/takes-all.ts';
import { env } from '#app/env.server.ts';
import { journey, mainJourney, nightlyJourney, WITH_SCRIPT } from './support/journey.ts';
import { tabTo } from './support/keyboard.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

nightlyJourney(
  'the skip link leads into the main content, and a client navigation to the title of the new screen (B330)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('administrator'));
    await visit('/');
    await expect(heading(page, 'Welcome,')).not.toBeFocused();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to main content' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('main').locator(':focus')).toHaveCount(1);
    await page.getByRole('link', { name: 'View Aircraft Fleet' }).click();
    await expect(heading(page, 'Aircraft Fleet')).toBeFocused();
    // Its link stays, and keeps the focus by itself.
    await page.getByRole('banner').getByRole('link', { name: env.PRODUCT_NAME }).click();
    await expect(heading(page, 'Welcome,')).toBeFocused();
  },
  { modes: WITH_SCRIPT },
);

nightlyJourney(
  'a page that failed says code and reference, leads home, and is loaded by the next try (B296, B542)',
  async ({ page, visit, ready, signIn, school, db }) => {
    await signIn(await school.user('student'));
    await visit('/ocr');
    await withoutColumn(db, 'scans', 'detected_text', async () => {
      await page.getByRole('link', { name: 'Scan History' }).click();
      await expect(heading(page, 'Error')).toBeVisible();
      await expect(page.getByText('500: Internal Server Error', { exact: true })).toBeVisible();
      await expect(page.getByText('Something went wrong. Please try again.', { exact: true })).toBeVisible();
      await expect(page.getByText(/^Reference [\da-f-]{36}$/)).toBeVisible();
      await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/');
    });
    await page.reload();
    await ready();
    await expect(heading(page, 'Scan History')).toBeVisible();
  },
  { expects: /status of 500/ },
);

journey(
  'the first page comes with its user; Loading is shown and announced while the next is fetched (B015, B026, C70)',
  async ({ page, visit, signIn, school }) => {
    const user = await school.user('administrator');
    await signIn(user);
    const first = await (await visit('/'))?.text();
    expect(first).toContain(`Welcome, ${user.username}`);
    expect(first).not.toContain('Loading');
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/airplanes.data*', async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('link', { name: 'View Aircraft Fleet' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toBeVisible();
    release();
    await expect(heading(page, 'Aircraft Fleet')).toBeVisible();
    await expect(page.getByText('Loading')).toBeHidden();
  },
  { modes: WITH_SCRIPT },
);

mainJourney(
  'from anywhere an administrator is in School Settings and School Activity after at most 12 Tabs (B1543)',
  async ({ page, visit, ready, signIn, school }) => {
    const admin = await school.user('administrator');
    await signIn(admin);
    const flight = await school.flight(admin, await school.aircraft());
    const others = takesAll ? ['/', '/airplanes', '/users'] : [];
    for (const from of [...others, `/flight-logs/${flight}`]) {
      for (const [name, to] of Object.entries({ Settings: '/school-settings', Activity: '/activity' })) {
        await visit(from);
        const main = await tabTo(page, page.getByRole('link', { name: 'School', exact: true }), 12);
        await page.keyboard.press('Enter');
        await expect(page).toHaveURL('/school');
        await ready();
        const own = await tabTo(page, page.getByRole('navigation', { name: 'School' }).getByRole('link', { name }), 12);
        expect(main + own).toBeLessThanOrEqual(12);
        await page.keyboard.press('Enter');
        await expect(page).toHaveURL(to);
      }
    }
  },
);
