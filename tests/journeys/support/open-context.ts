import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright';
import { LONG_TIMEOUT_MS } from '#tests/support/expect.ts';

/** A page whose script never arrives: script-blocked.test.ts. */
export const MODES = ['without script', 'with script'] as const;
export type Mode = (typeof MODES)[number];

interface Wanted {
  mode: Mode;
  browser: Browser;
  url: string;
  /** Options of its own: a context for this journey alone. */
  own?: BrowserContextOptions | undefined;
}

interface OpenContext {
  context: BrowserContext;
  /** Ends what the journey has begun in it; one that failed leaves nothing to others. */
  leave(passed: boolean): Promise<void>;
}

/** By mode and browser: contexts that journeys take one after another, whose cache and renderer process stay warm. */
const idle = new Map<Browser, Map<Mode, BrowserContext>>();

/** A context without cookies or pages: an emptied one of this worker, or a new one where the journey has options. */
export async function openContext({ mode, browser, url, own }: Wanted): Promise<OpenContext> {
  if (own) {
    const context = await newContext(browser, mode, url, own);
    return { context, leave: () => context.close() };
  }
  const contexts = idle.get(browser) ?? new Map<Mode, BrowserContext>();
  idle.set(browser, contexts);
  const context = contexts.get(mode) ?? (await warmContext(browser, mode, url));
  contexts.delete(mode);
  return {
    context,
    leave: async (passed) => {
      if (!passed) return context.close();
      await empty(context);
      contexts.set(mode, context);
    },
  };
}

async function newContext(
  browser: Browser,
  mode: Mode,
  url: string,
  own?: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    javaScriptEnabled: mode === 'with script',
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
    // One journey's worker would answer the next one's requests; a journey that needs it has a context of its own.
    serviceWorkers: 'block',
    ...own,
  });
  context.setDefaultTimeout(LONG_TIMEOUT_MS);
  return context;
}

/** A page that stays keeps the site's renderer process. */
async function warmContext(browser: Browser, mode: Mode, url: string): Promise<BrowserContext> {
  const context = await newContext(browser, mode, url);
  const page = await context.newPage();
  await page.goto('/favicon.svg');
  return context;
}

async function empty(context: BrowserContext): Promise<void> {
  const [, ...pages] = context.pages();
  await Promise.all(pages.map((page) => page.close()));
  await context.clearCookies();
  await context.setOffline(false);
}
