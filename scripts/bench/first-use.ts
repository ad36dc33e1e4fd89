import type { Browser, CDPSession, Page } from 'playwright';
import { launchBrowser } from '#tests/support/browser.ts';
import { printTable } from './support/figures.ts';
import { BASE, fillLists, type Visit, visits, withServedApp } from './support/served-app.ts';

/** Chromium's 'Slow 3G', and a processor four times slower than this one. */
const NETWORK = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const CPU_SLOWDOWN = 4;
const ROUNDS = 3;

const LIMITS = { paint: 1000, script: 86_000 };

interface Use {
  /** Milliseconds until something is drawn, and until the page is interactive. */
  paint: number;
  ready: number;
  /** Bytes over the line: the scripts' bodies, and everything with its headers. */
  script: number;
  all: number;
  requests: number;
}

/** `npm run bench -- first-use [check]`: each screen with nothing cached over a slow network, the quickest of three visits, since other work on the machine only adds. */
export async function bench([mode]: string[]): Promise<void> {
  await withServedApp(async ({ db, school }) => {
    await fillLists(db, school);
    const browser = await launchBrowser();
    const rows: string[][] = [];
    let isWithin = true;
    for await (const visit of visits(school)) {
      const use = await bestUse(browser, visit);
      isWithin &&= use.paint <= LIMITS.paint && use.script <= LIMITS.script;
      const cells = [mark(use, 'paint'), use.ready, mark(use, 'script'), use.all, use.requests];
      rows.push([visit.path.slice(0, 32), ...cells.map(String)]);
    }
    await browser.close();
    rows.push(['at most', String(LIMITS.paint), '', String(LIMITS.script), '', '']);
    printTable(['screen', 'paint ms', 'ready ms', 'script', 'all bytes', 'requests'], rows);
    if (mode === 'check' && !isWithin) process.exitCode = 1;
  });
}

function mark(use: Use, what: keyof typeof LIMITS): string {
  return `${use[what]}${use[what] > LIMITS[what] ? '!' : ''}`;
}

async function bestUse(browser: Browser, visit: Visit): Promise<Use> {
  const uses: Use[] = [];
  for (let round = 0; round < ROUNDS; round += 1) uses.push(await useOnce(browser, visit));
  return uses.sort((one, other) => one.paint - other.paint)[0]!;
}

async function useOnce(browser: Browser, { path, cookie }: Visit): Promise<Use> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const cookies = cookie
    .split('; ')
    .filter(Boolean)
    .map((pair) => pair.split('='));
  await context.addCookies(cookies.map(([name = '', ...value]) => ({ name, value: value.join('='), url: BASE })));
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const received = countBytes(session);
  await page.goto(BASE + path);
  await page.waitForSelector('html[data-hydrated]', { timeout: 120_000 });
  const use = { ...(await timesOf(page)), ...received() };
  await context.close();
  return use;
}

function countBytes(session: CDPSession): () => Pick<Use, 'script' | 'all' | 'requests'> {
  const headersOfScripts = new Map<string, number>();
  const received = { script: 0, all: 0, requests: 0 };
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') headersOfScripts.set(requestId, response.encodedDataLength);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    received.all += encodedDataLength;
    received.requests += 1;
    const headers = headersOfScripts.get(requestId);
    if (headers !== undefined) received.script += encodedDataLength - headers;
  });
  return () => received;
}

async function timesOf(page: Page): Promise<Pick<Use, 'paint' | 'ready'>> {
  return page.evaluate(() => ({
    paint: Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity),
    ready: Math.round(performance.now()),
  }));
}
