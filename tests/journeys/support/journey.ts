import { mkdir } from 'node:fs/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Response } from 'playwright';
import { afterAll, beforeAll, test } from 'vitest';
import type { Db } from '#db/connect.server.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { type Mailbox, startMailbox } from '#tests/support/mailbox.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { newSchool, type School } from './school.ts';
import { watch } from './watch.ts';

/** The three states of progressive enhancement: no script, script, and a page whose script never arrives. */
const MODES = ['without script', 'with script', 'script blocked'] as const;
export type Mode = (typeof MODES)[number];

/** What a journey meets: an own browser, an own school on the one server, and the state of script. */
export interface Stage {
  mode: Mode;
  page: Page;
  context: BrowserContext;
  db: Db;
  school: School;
  /** What the server has mailed. */
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

interface JourneyOptions {
  /** All three states where nothing is said. */
  modes?: readonly Mode[];
  /** What the browser may complain of here, as a lost network does. */
  expects?: RegExp;
  context?: BrowserContextOptions;
}

// One server, one mail server and one browser for the journeys of a file.
let server: TestServer;
let browser: Browser;
let mailbox: Mailbox;
let flags = async (): Promise<string[]> => [];
beforeAll(async () => {
  mailbox = await startMailbox();
  const launched = flags().then(launchBrowser);
  [server, browser] = await Promise.all([startServer({ LOG_LEVEL: 'error', SMTP_URL: mailbox.url }), launched]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await mailbox?.stop();
});

/** Further flags for this file's browser, as a fake camera's are. */
export function browserFlags(make: typeof flags): void {
  flags = make;
}

/** One description of a journey, run in each state of script; a title says which lines it holds. */
export function journey(title: string, run: (stage: Stage) => Promise<void>, options: JourneyOptions = {}): void {
  for (const mode of options.modes ?? MODES) {
    test(`${title} (${mode})`, () => play(title, mode, run, options));
  }
}

/** For what only script does. */
export const WITH_SCRIPT = ['with script'] as const;

async function play(title: string, mode: Mode, run: (stage: Stage) => Promise<void>, options: JourneyOptions) {
  const { url, db } = server;
  const context = await browser.newContext({
    baseURL: url,
    javaScriptEnabled: mode !== 'without script',
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
    ...options.context,
  });
  context.setDefaultTimeout(8_000);
  if (mode === 'script blocked') {
    await context.route('**/*', (route) =>
      route.request().resourceType() === 'script' ? route.abort() : route.fallback(),
    );
  }
  const complaints = watch(context, mode, options.expects);
  const page = await context.newPage();

  const ready = async (shown = page) => {
    await shown.waitForLoadState('domcontentloaded');
    if (mode === 'with script') await shown.locator('html[data-hydrated]').waitFor({ state: 'attached' });
  };
  const stage: Stage = {
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

  try {
    await run(stage);
    complaints.assertNone();
  } catch (error) {
    await keepPicture(page, `${title} ${mode}`);
    throw error;
  } finally {
    await context.close();
  }
}

async function keepPicture(page: Page, title: string): Promise<void> {
  await mkdir('test-results', { recursive: true });
  const name = title.replaceAll(/[^\w]+/g, '-').slice(0, 120);
  // A page that has crashed leaves none, and the journey's own failure is what counts.
  await page.screenshot({ path: `test-results/${name}.png`, fullPage: true }).catch(() => {});
}
