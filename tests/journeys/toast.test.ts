import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { env } from '#app/env.server.ts';
import { PASSWORD } from '#tests/support/school.ts';
import { journey, nightlyJourney, WITH_SCRIPT, WITHOUT_SCRIPT, type JourneyContext } from './support/journey.ts';
import { step } from './support/step.ts';

const welcome = (page: Page) => page.getByText('Login successful!', { exact: true });
/** The clock of a context cannot be set back: one of its own. */
const OWN_CLOCK = { modes: WITH_SCRIPT, context: {} };

/** Signs in by hand while the page's clock stands still: the toast of success has all of its time before it. */
async function arrive({ page, context, visit, school }: JourneyContext) {
  const { username } = await school.user('student');
  await context.clearCookies();
  await page.clock.install({ time: new Date('2026-05-12T08:00:00Z') });
  await visit('/login');
  await page.clock.pauseAt(new Date('2026-05-12T09:00:00Z'));
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(welcome(page)).toBeVisible();
}

journey(
  'a toast leaves after five seconds, and the page then sends no request, nor for a focus (B301, B303, C69)',
  async (ctx) => {
    const { page } = ctx;
    await arrive(ctx);
    await page.waitForLoadState('networkidle');
    await page.clock.runFor(4_900);
    await expect(welcome(page)).toBeVisible();
    await page.clock.runFor(200);
    await expect(welcome(page)).toBeHidden();
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
  OWN_CLOCK,
);

nightlyJourney(
  'a toast stays under pointer and focus; its time, Escape, its button or a newer one end it (B300, C60)',
  async (ctx) => {
    const { page } = ctx;
    const button = page.getByRole('button', { name: 'Close' });
    const goodbye = page.getByText('Logged out successfully');
    await step('under the pointer', async () => {
      await arrive(ctx);
      await page.clock.runFor(3_000);
      await welcome(page).hover();
      await page.clock.runFor(60_000);
      await expect(welcome(page)).toBeVisible();
      // Firefox changes ':hover' after this event, Chromium before it.
      await page.locator('.toast').dispatchEvent('pointerleave');
      await page.clock.runFor(1_900);
      await expect(welcome(page)).toBeVisible();
      await page.clock.runFor(200);
      await expect(welcome(page)).toBeHidden();
    });
    await step('a newer one in its place, closed by its button', async () => {
      await arrive(ctx);
      await page.getByRole('button', { name: 'Logout' }).click();
      await expect(goodbye).toBeVisible();
      await expect(welcome(page)).toBeHidden();
      await expect(button).toHaveCount(1);
      await button.click();
      await expect(goodbye).toBeHidden();
    });
    await step('with the focus in it, also once the pointer has come and gone', async () => {
      await arrive(ctx);
      await button.focus();
      await page.clock.runFor(60_000);
      await welcome(page).hover();
      await page.mouse.move(0, 800);
      await page.clock.runFor(60_000);
      await expect(welcome(page)).toBeVisible();
      await page.getByRole('link', { name: 'View Flight History' }).focus();
      await page.clock.runFor(5_100);
      await expect(welcome(page)).toBeHidden();
    });
    await step('until Escape', async () => {
      await arrive(ctx);
      await page.keyboard.press('Escape');
      await expect(welcome(page)).toBeHidden();
    });
  },
  OWN_CLOCK,
);

nightlyJourney(
  'without script the toast is a banner in the page, and gone from the next one (B057, C60)',
  async ({ page, visit, school }) => {
    const { username } = await school.user('student');
    await visit('/login');
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Login successful!' })).toBeVisible();
    await page.getByRole('banner').getByRole('link', { name: env.PRODUCT_NAME }).click();
    await expect(page.getByRole('heading', { level: 1, name: `Welcome, ${username}` })).toBeVisible();
    await expect(welcome(page)).toBeHidden();
  },
  { modes: WITHOUT_SCRIPT },
);
