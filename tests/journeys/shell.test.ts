import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { takesAll } from '#tests/support/takes-all.ts';
import { env } from '#app/env.server.ts';
import { journey, mainJourney, nightlyJourney, WITH_SCRIPT } from './support/journey.ts';
import { tabTo } from './support/keyboard.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

nightlyJourney(
  'an unknown address is 404 in status, title and heading, and leads back (B014, B020, C32)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('student'));
    const response = await visit('/hangar/7?door=open');
    expect(response?.status()).toBe(404);
    await expect(page).toHaveTitle('404 Page Not Found');
    await expect(heading(page, '404 Page Not Found')).toBeVisible();
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await expect(page).toHaveURL('/');
  },
);

nightlyJourney(
  'signed out, an unknown address shows the sign-in screen and nothing else (B016, C32)',
  async ({ page, visit }) => {
    await visit('/hangar/7');
    await expect(heading(page, env.PRODUCT_NAME)).toBeVisible();
    await expect(page.getByLabel('Username')).toBeVisible();
  },
);

nightlyJourney(
  'the skip link is the first stop of Tab, and leads into the main content (B330)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('student'));
    await visit('/');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to main content' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('main').locator(':focus')).toHaveCount(1);
  },
);

nightlyJourney(
  'after client navigation the focus is on the title of the new screen, but not on the first load (B330)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('administrator'));
    await visit('/');
    await expect(heading(page, 'Welcome,')).not.toBeFocused();
    await page.getByRole('link', { name: 'View Aircraft Fleet' }).click();
    await expect(heading(page, 'Aircraft Fleet')).toBeFocused();
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await expect(heading(page, 'Welcome,')).toBeFocused();
  },
  { modes: WITH_SCRIPT },
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
