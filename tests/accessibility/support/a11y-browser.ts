import type { BrowserContext, Page } from 'playwright';
import { LONG_TIMEOUT_MS } from '#tests/support/expect.ts';
import { withoutColumn } from '#tests/support/faults.ts';
import { type EmptySchool, type FullSchool, makeEmptySchool, makeFullSchool } from '#tests/support/fixtures.ts';
import { cookieOf, pendingCookieOf } from '#tests/support/requests.ts';
import type { Viewer } from '#tests/support/screen-addresses.ts';
import type { ScreenState } from '#tests/support/screen-states.ts';
import type { TestServer } from '#tests/support/server.ts';
import { takesAll } from '#tests/support/takes-all.ts';
import { sharedBrowser, sharedServer } from '#tests/support/worker.ts';

export interface A11yBrowser {
  /** Brings a page to this state, 320 pixels wide, in light colours. */
  show(state: ScreenState): Promise<Page>;
  close(): Promise<void>;
}

/** Two schools and two pages for all states: one page with script, one that script never reaches. */
export async function openA11yBrowser(): Promise<A11yBrowser> {
  const [server, browser] = await Promise.all([sharedServer(), sharedBrowser()]);
  const schools = { full: await makeFullSchool(server.db), empty: await makeEmptySchool(server.db) };
  const open = () => browser.newContext({ baseURL: server.url, reducedMotion: 'reduce', serviceWorkers: 'block' });
  const [scripted, blocked] = [await open(), await open()];
  for (const context of [scripted, blocked]) context.setDefaultTimeout(LONG_TIMEOUT_MS);
  await blocked.route('**/*.js', (route) => route.abort());
  const pages = { scripted: await scripted.newPage(), blocked: await blocked.newPage() };
  return {
    show: (state) => show(state.scriptBlocked ? pages.blocked : pages.scripted, state, server, schools),
    close: async () => void (await Promise.all([scripted.close(), blocked.close()])),
  };
}

interface Schools {
  full: FullSchool;
  empty: EmptySchool;
}

/** Who looks at the page's document. */
const viewers = new WeakMap<Page, Viewer>();

async function show(page: Page, state: ScreenState, server: TestServer, schools: Schools): Promise<Page> {
  const path = state.path(schools.full);
  if (!takesAll && viewers.get(page) === state.as) {
    await navigate(page, path);
  } else {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
    await signIn(page.context(), state, server, schools);
    const visit = () => page.goto(path);
    await (state.failing ? withoutColumn(server.db, ...state.failing, visit) : visit());
    viewers.set(page, state.as);
  }
  const { pathname, search } = new URL(page.url());
  if (pathname + search !== path) throw new Error(`${path} leads to ${pathname + search} for the ${state.as}.`);
  if (!state.scriptBlocked) await untilHydrated(page);
  const act = async () => state.act?.(page);
  await (state.failingPost ? withoutColumn(server.db, ...state.failingPost, act) : act());
  // The page that answers a form is in the DOM before its style sheets are.
  await page.waitForLoadState();
  return page;
}

/** As a link does, until the next heading is there: the script of the page, and that of axe, stay loaded. */
function navigate(page: Page, path: string): Promise<void> {
  return page.evaluate(async (to) => {
    const left = document.querySelector('h1');
    await window.__remixRouter.navigate(to, { flushSync: true });
    while (left?.isConnected) await new Promise(requestAnimationFrame);
  }, path);
}

declare global {
  interface Window {
    __remixRouter: { navigate(to: string, options: { flushSync: boolean }): Promise<void> };
  }
}

/** Without a locator, for which Playwright would load a quarter of a megabyte of script into each page. */
function untilHydrated(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { documentElement } = document;
        const resolveOnceHydrated = () => void ('hydrated' in documentElement.dataset && resolve());
        new MutationObserver(resolveOnceHydrated).observe(documentElement, { attributeFilter: ['data-hydrated'] });
        resolveOnceHydrated();
      }),
  );
}

async function signIn(
  context: BrowserContext,
  { as, empty }: ScreenState,
  { db, url }: TestServer,
  schools: Schools,
): Promise<void> {
  await context.clearCookies();
  if (as === 'visitor') return;
  if (as === 'signing in') return addCookie(await pendingCookieOf(schools.full.student));
  const user = empty && as !== 'instructor' ? schools.empty[as] : schools.full[as];
  return addCookie(await cookieOf(db, user));

  async function addCookie(cookie: string): Promise<void> {
    const [name = '', value = ''] = cookie.split('=', 2);
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
  }
}
