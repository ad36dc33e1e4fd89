import { mkdir } from 'node:fs/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Response } from 'playwright';
import { test } from 'vitest';
import type { Db } from '#db/connect.server.ts';
import type { Mailbox } from '#tests/support/mailbox.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { takesAll } from '#tests/support/takes-all.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { sharedBrowser, sharedMailbox, sharedServer } from '#tests/support/worker.ts';
import { collectBrowserErrors } from './browser-complaints.ts';
import { type Mode, MODES, openContext } from './open-context.ts';
import { newSchool, type School } from './school.ts';

export const WITH_SCRIPT = ['with script'] as const;
export const WITHOUT_SCRIPT = ['without script'] as const;

/** What a journey works with: a browser context and a school of its own. */
export interface JourneyContext {
  mode: Mode;
  page: Page;
  context: BrowserContext;
  db: Db;
  school: School;
  /** What the server has mailed, to other journeys too. */
  mailbox: Mailbox;
  /** Goes to a path by its address, and waits until script has taken over where there is any. */
  visit(path: string, page?: Page): Promise<Response | null>;
  /** Waits for script after a page came anew, as by reload or Back. */
  ready(page?: Page): Promise<void>;
  /** Gives the browser the session of a user who has just signed in. */
  signIn(user: { id: number }): Promise<void>;
  /** Another tab of the same browser. */
  tab(): Promise<Page>;
}

type Run = (ctx: JourneyContext) => Promise<void>;

interface JourneyOptions {
  modes?: readonly Mode[];
  /** What the browser may complain of here, as a lost network does. */
  expects?: RegExp;
  /** A context of its own, with these options. */
  context?: BrowserContextOptions;
  browser?: () => Promise<Browser>;
  /** A browser of its own with as many processes as it likes, as a service worker needs it. */
  ownBrowser?: boolean;
}

/** One description of a journey for both modes. `npm test` plays it with script, `npm run test:all` in both. */
export function journey(title: string, run: Run, options: JourneyOptions = {}): void {
  const modes = options.modes ?? (takesAll ? MODES : WITH_SCRIPT);
  for (const mode of modes) test(`${title} (${mode})`, () => play(title, mode, run, options));
}

/** One that `npm test` plays in both modes. */
export function mainJourney(title: string, run: Run, options: JourneyOptions = {}): void {
  journey(title, run, { modes: MODES, ...options });
}

/** One that `npm run test:all` alone plays. */
export function nightlyJourney(title: string, run: Run, options: JourneyOptions = {}): void {
  if (takesAll) journey(title, run, options);
}

async function play(
  title: string,
  mode: Mode,
  run: Run,
  { expects, context: contextOptions, ownBrowser, browser = sharedBrowser }: JourneyOptions,
): Promise<void> {
  const [{ url, db }, mailbox, opened] = await Promise.all([
    sharedServer(),
    sharedMailbox(),
    ownBrowser ? launchBrowser([], []) : browser(),
  ]);
  const { context, leave } = await openContext({ mode, browser: opened, url, own: contextOptions });
  const complaints = collectBrowserErrors(context, { withScript: mode === 'with script', expected: expects });
  const page = await context.newPage();
  if (!contextOptions) forbidClock(page);

  const ready = async (shown = page) => {
    await shown.waitForLoadState('domcontentloaded');
    if (mode === 'with script') await shown.locator('html[data-hydrated]').waitFor({ state: 'attached' });
  };
  const ctx: JourneyContext = {
    mode,
    page,
    context,
    db,
    school: await newSchool(db),
    mailbox,
    visit: async (path, shown = page) => {
      const response = await shown.goto(path);
      await ready(shown);
      return response;
    },
    ready,
    signIn: async (user) => {
      const [name = '', value = ''] = (await cookieOf(db, user)).split('=', 2);
      await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
    },
    tab: () => context.newPage(),
  };

  let passed = false;
  try {
    await run(ctx);
    complaints.assertNone();
    passed = true;
  } catch (error) {
    await saveScreenshot(page, `${title} ${mode}`);
    throw error;
  } finally {
    complaints.stop();
    await leave(passed);
    if (ownBrowser) await opened.close();
  }
}

/** A clock that was stopped could not be set going again for the next journey. */
function forbidClock(page: Page): void {
  const get = () => {
    throw new Error('A journey that sets the clock needs a browser context of its own: { context: {} }.');
  };
  Object.defineProperty(page, 'clock', { get });
}

async function saveScreenshot(page: Page, title: string): Promise<void> {
  await mkdir('test-results', { recursive: true });
  const name = title.replaceAll(/[^\w]+/g, '-').slice(0, 120);
  // A page that has crashed leaves none, and the journey's own failure is what counts.
  await page.screenshot({ path: `test-results/${name}.png`, fullPage: true }).catch(() => {});
}
