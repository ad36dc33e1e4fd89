import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { env } from '#app/env.server.ts';
import { insertDelivery, insertWebhook } from '#tests/support/webhooks.ts';
import { journey, nightlyJourney, WITH_SCRIPT } from './support/journey.ts';

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

journey(
  'a page at rest sends no request, and none when its window gets the focus back (B303, C69)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('administrator'));
    await page.clock.install();
    await visit('/');
    await page.waitForLoadState('networkidle');
    const asked: string[] = [];
    // A file of the build may come late, and is asked for once.
    page.on('request', (request) => !request.url().includes('/assets/') && asked.push(request.url()));
    await page.clock.fastForward('30:00');
    await page.evaluate(() => {
      window.dispatchEvent(new Event('focus'));
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await page.getByRole('link', { name: 'Skip to main content' }).focus();
    expect(asked).toEqual([]);
  },
  { modes: WITH_SCRIPT, context: {} },
);

journey(
  "on a tablet's width a date of the webhook log stands on two lines at most, beside a long answer (B943)",
  async ({ page, visit, signIn, school, db }) => {
    const admin = await school.user('administrator');
    const { schoolId } = admin;
    const webhookId = await insertWebhook(db, schoolId);
    await insertDelivery(db, { schoolId, webhookId }, { event: 'aircraft.status_changed', ...GIVEN_UP });
    await signIn(admin);
    await visit(`/school-settings/webhooks/${webhookId}`);
    for (const width of [768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const lines = page.locator('td > time').evaluate((time) => time.getClientRects().length);
      expect(await lines, String(width)).toBeLessThanOrEqual(2);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), String(width)).toBe(width);
    }
  },
);

const GIVEN_UP = {
  state: 'given up',
  next_attempt_at: null,
  ...{ attempts: 8, last_attempt_at: new Date(), duration_ms: 10_000 },
  ...{ status: 503, error: 'It answered 503.', answer: 'The books are closed. Please come back later. '.repeat(5) },
} as const;
