import type { BrowserContext, Locator, Page } from 'playwright';
import { afterAll, beforeAll, test } from 'vitest';
import { paths } from '#app/paths.ts';
import { drawn } from '#tests/support/drawn.ts';
import { expect, LONG_TIMEOUT_MS } from '#tests/support/expect.ts';
import { makeFullSchool } from '#tests/support/fixtures.ts';
import { cookieOf, pendingCookieOf } from '#tests/support/requests.ts';
import { type Screen, screens } from '#tests/support/screen-addresses.ts';
import type { TestServer } from '#tests/support/server.ts';
import { sharedBrowser, sharedServer } from '#tests/support/worker.ts';
import { collectBrowserErrors } from './support/browser-complaints.ts';
import { step } from './support/step.ts';

// A browser that may run script, and gets none: journeys differ from those without script only once it runs.
let server: TestServer;
let context: BrowserContext;
beforeAll(async () => {
  server = await sharedServer();
  context = await (
    await sharedBrowser()
  ).newContext({ baseURL: server.url, viewport: { width: 390, height: 844 }, serviceWorkers: 'block' });
  context.setDefaultTimeout(LONG_TIMEOUT_MS);
});
afterAll(() => context?.close());

const FORMS_DRAWN = 1;

test.each(screens())(
  'while its script never arrives, the screen $route is shown, and a form on it is sent and answered',
  async (screen) => {
    const complaints = collectBrowserErrors(context, { withScript: false });
    const page = await openPage();
    await visit(page, screen);
    const buttons = drawn(await submitButtons(page), FORMS_DRAWN, screen.route);
    for (const [at, button] of buttons.entries()) {
      // A school of its own, so that no form finds what another has changed.
      if (at > 0) await visit(page, screen);
      await step(`pressing '${await button.textContent()}'`, () => submit(page, button));
    }
    complaints.assertNone();
    complaints.stop();
    await page.close();
  },
);

test('while its script never arrives, the dashboard signs out', async () => {
  const page = await openPage();
  await signIn((await makeFullSchool(server.db)).student);
  await page.goto(paths.dashboard);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByText('Logged out successfully')).toBeVisible();
  await page.close();
});

/** By the browser itself: a route would send every request through this process, and keep style sheets from the cache. */
async function openPage(): Promise<Page> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setBlockedURLs', { urls: ['*.js'] });
  return page;
}

/** As somebody of a new school, in which every screen has something to show. */
async function visit(page: Page, { as, path }: Screen): Promise<void> {
  const school = await makeFullSchool(server.db);
  await context.clearCookies();
  if (as === 'signing in') await addCookie(await pendingCookieOf(school.student));
  else if (as !== 'visitor') await signIn(school[as]);
  const response = await page.goto(path(school));
  expect(response?.status()).toBeLessThan(500);
  await expectPage(page);
}

async function signIn(user: { id: number }): Promise<void> {
  await addCookie(await cookieOf(server.db, user));
}

async function addCookie(cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=', 2);
  await context.addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: 'Lax' }]);
}

/** Asked for without locators: Playwright would load their script into each page. */
async function expectPage(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    h1s: document.querySelectorAll('h1').length,
    isHydrated: document.querySelector('html[data-hydrated]') !== null,
  }));
  expect(found).toEqual({ h1s: 1, isHydrated: false });
}

/** Presses the button of a form that is left as it is; the page that answers says what is wrong, or what was done. */
async function submit(page: Page, button: Locator): Promise<void> {
  // Some stand in a closed menu.
  await button.evaluate((element) => element.closest('details')?.setAttribute('open', ''));
  const sending = page.waitForRequest((request) => request.isNavigationRequest());
  const shown = page.waitForEvent('load');
  await button.click();
  const answer = await (await sending).response();
  expect([200, 303, 400]).toContain(answer?.status());
  await shown;
  await expectPage(page);
  if (answer?.status() === 400) expect(await showsError(page)).toBe(true);
}

function showsError(page: Page): Promise<boolean> {
  return page.evaluate(
    () => document.querySelector('[aria-invalid=true], [data-tone=destructive]')?.checkVisibility() === true,
  );
}

/** Those that send a form of this page, one for each kind: where it is sent to, and with what intent. Logout is on all. */
async function submitButtons(page: Page): Promise<Locator[]> {
  const all = page.locator('button[type=submit]:not([aria-hidden])');
  const kinds = await all.evaluateAll((buttons: HTMLButtonElement[]) =>
    buttons.map(
      ({ form, name, value, textContent }) =>
        `${form?.method} ${form?.action} ${name ? `${name}=${value}` : textContent}`,
    ),
  );
  return kinds.flatMap((kind, at) => (kinds.indexOf(kind) === at && !kind.endsWith('Logout') ? [all.nth(at)] : []));
}
