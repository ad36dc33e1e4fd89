import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserContext, chromium, type Page } from 'playwright';
import { test } from 'vitest';
import { connect } from '#db/connect.server.ts';
import { findChromium } from '#tests/support/browser.ts';
import { copyTemplate, LONG_TIMEOUTS } from '#tests/support/database.ts';
import { expect } from '#tests/support/expect.ts';
import { allGone, kill, processesOf } from '#tests/support/processes.ts';
import { addressOf, type Program, startScript } from '#tests/support/program.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { compareFlights } from '#tests/support/typed/compare-flights.ts';
import { hydrated } from '#tests/support/typed/cells.ts';
import { TcpProxy } from '../../scripts/chaos/lab/tcp-proxy.ts';

/** Chromium writes what a page stores to its disk some seconds later. */
const WRITTEN_MS = 8000;

const unsent = (page: Page) => page.getByRole('region', { name: 'Not sent yet' });

test(
  'a flight without a network is there once, though browser and server are killed on the way (B866, B867)',
  { timeout: 1_800_000 },
  async () => {
    const database = await copyTemplate();
    const db = connect(database.url, { max: 4, ...LONG_TIMEOUTS });
    // Its port stays, whichever the server gets that is behind it.
    const front = await TcpProxy.start(0);
    const url = `http://localhost:${front.port}`;
    const profile = await mkdtemp(path.join(tmpdir(), 'killed-'));
    const schoolId = await makeSchool(db);
    const pilot = await makeUser(db, schoolId, 'student');
    const last = { last_hobbs: '1234.5', last_tach: '987.6' };
    const aircraftId = await makeAircraft(db, schoolId, last);
    const flight = {
      aircraftId,
      start: { hobbs: '1234.5', tach: '987.6' },
      end: { hobbs: '1235.7', tach: '988.4' },
      notes: 'Left brake soft.',
    };

    let server = await startServer(database.url, front);
    let context = await startBrowser(profile, url);
    const [name = '', value = ''] = (await cookieOf(db, pilot)).split('=', 2);
    const expires = Date.now() / 1000 + 3600;
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax', expires }]);
    // Chromium writes cookies to its disk half a minute later, or as it is closed.
    await context.close();
    context = await startBrowser(profile, url);
    let page = await open(context, '/');
    const keptPaths = () =>
      page.evaluate(async () => {
        const names = (await caches.keys()).filter((one) => one.startsWith('kept-'));
        const all = await Promise.all(names.map(async (one) => (await caches.open(one)).keys()));
        return all.flat().map((request) => new URL(request.url).pathname);
      });
    await expect.poll(keptPaths).toEqual(expect.arrayContaining(['/', '/flight-log/offline', '/flight-logs/own']));
    const restartBrowser = async (address: string) => {
      await sleep(WRITTEN_MS);
      await killBrowser(profile);
      context = await startBrowser(profile, url);
      page = await open(context, address);
    };

    await killServer(server, front);
    await restartBrowser('/');
    await expect(page.getByText(/^As of/)).toBeVisible();
    await page.getByRole('link', { name: 'Check Out', exact: true }).click();
    await page.getByLabel('Aircraft', { exact: true }).selectOption(String(aircraftId));
    await page.getByLabel('Hobbs Time').fill(flight.start.hobbs);
    await restartBrowser('/flight-log/offline');
    await expect(page.getByLabel('Hobbs Time')).toHaveValue(flight.start.hobbs);
    await page.getByLabel('Tach Time').fill(flight.start.tach);
    await page.getByRole('button', { name: 'Start Flight' }).click();
    await expect(unsent(page)).toContainText(/Check-out N\w+ · 1234.5 · 987.6/);

    // The server dies as the check-out arrives.
    server = await startServer(database.url, front);
    await unsent(page).getByRole('button', { name: 'Send now' }).click();
    await killServer(server, front);
    await restartBrowser('/');
    await unsent(page).or(page.getByText('You have an active flight')).first().waitFor();

    await page
      .getByRole('link', { name: /^(Check In|Complete Post-Flight Check)$/ })
      .first()
      .click();
    await page.getByLabel('End Hobbs Time').fill(flight.end.hobbs);
    await page.getByLabel('End Tach Time').fill(flight.end.tach);
    const address = new URL(page.url()).pathname;
    await restartBrowser(address);
    await expect(page.getByLabel('End Tach Time')).toHaveValue(flight.end.tach);
    await page.getByLabel('Notes', { exact: true }).fill(flight.notes);
    await page.getByRole('button', { name: 'Complete Flight' }).click();
    await expect(unsent(page)).toContainText(/Check-in N\w+ · 1235.7 · 988.4/);
    await restartBrowser('/');
    await expect(unsent(page)).toContainText(/Check-in N\w+ · 1235.7 · 988.4/);

    for (const wait of [0, 300, 1000]) {
      server = await startServer(database.url, front);
      void page.reload().catch(() => undefined);
      await sleep(wait);
      await killServer(server, front);
    }
    server = await startServer(database.url, front);
    await restartBrowser('/');
    await expect(unsent(page)).toBeHidden();
    const completed = () => db.selectFrom('flight_logs').select('completed_at').execute();
    await expect.poll(completed).toEqual([{ completed_at: expect.any(Date) }]);
    const cookie = await cookieOf(db, await makeUser(db, schoolId, 'administrator'));
    const compared = await compareFlights({ db, url }, schoolId, cookie, [flight]);
    console.log(compared);
    expect(compared).toEqual({ once: 1, doubled: 0, lost: 0, differing: [] });

    await killBrowser(profile);
    await killServer(server, front);
    await front.stop();
    await db.destroy();
    await database.drop();
  },
);

async function startServer(databaseUrl: string, front: TcpProxy): Promise<Program> {
  const url = `http://localhost:${front.port}`;
  const settings = { NODE_ENV: 'production', DATABASE_URL: databaseUrl, APP_URL: url, PORT: '0' };
  const SESSION_SECRET = process.env.SESSION_SECRET ?? '';
  const env = { ...settings, SESSION_SECRET, PHOTO_WARM_UP: 'no', LOG_LEVEL: 'error' };
  const server = startScript('scripts/start.mjs', [], { env });
  front.target = Number(new URL(await addressOf(server)).port);
  front.newConnections = 'forward';
  return server;
}

async function killServer(server: Program, front: TcpProxy): Promise<void> {
  front.newConnections = 'refuse';
  await server.end('SIGKILL');
}

function startBrowser(profile: string, baseURL: string): Promise<BrowserContext> {
  const executablePath = findChromium();
  const args = ['--no-sandbox', '--disable-gpu'];
  const options = { baseURL, args, ...(executablePath && { executablePath }) };
  return chromium.launchPersistentContext(profile, options);
}

async function open(context: BrowserContext, address: string): Promise<Page> {
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.goto(address);
  await hydrated(page);
  return page;
}

/** Without a word to it, as a phone whose battery is empty. */
async function killBrowser(profile: string): Promise<void> {
  for (const { pid } of processesOf(profile)) kill(pid);
  await allGone(profile);
}
