import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { withoutColumn } from '#tests/support/faults.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import type { Sight } from './sights.ts';
import { makeWorld, type World } from './world.ts';

let server: TestServer;
let browser: Browser;
let world: World;
let pages: { scripted: Page; blocked: Page };

/** One server, one world and two pages for all the sights of a file; `show` brings a page to one of them. */
export function openTheatre() {
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer({ LOG_LEVEL: 'silent' }), launchBrowser()]);
    world = await makeWorld(server.db);
    const context = () => browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' });
    const [scripted, blocked] = [await context(), await context()];
    await blocked.route('**/*.js', (route) => route.abort());
    pages = { scripted: await scripted.newPage(), blocked: await blocked.newPage() };
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  return { show };
}

async function show(sight: Sight): Promise<Page> {
  const page = sight.scriptBlocked ? pages.blocked : pages.scripted;
  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  await beSignedIn(page.context(), sight);
  const path = typeof sight.path === 'string' ? sight.path : sight.path(world);
  const visit = () => page.goto(path);
  await (sight.failing ? withoutColumn(server.db, ...sight.failing, visit) : visit());
  if (!sight.scriptBlocked) await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
  await sight.act?.(page);
  return page;
}

async function beSignedIn(context: BrowserContext, { as, empty }: Sight): Promise<void> {
  await context.clearCookies();
  if (!as) return;
  const user = empty && as !== 'instructor' ? world.empty[as] : world.full[as];
  const [name = '', value = ''] = (await cookieOf(server.db, user)).split('=', 2);
  await context.addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: 'Lax' }]);
}
