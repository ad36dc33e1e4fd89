import type { BrowserContext, Page } from 'playwright';
import type { FullSchool } from '../fixtures.ts';
import { makeFullSchool } from '../fixtures.ts';
import { cookieOf, pendingCookieOf } from '../requests.ts';
import { type Screen, screens } from '../screen-addresses.ts';
import type { TestServer } from '../server.ts';
import { findForms } from './forms.ts';

export const EVENTS = [
  'request aborted',
  'server gone',
  'Back',
  'link pressed',
  'reload',
  'more typed early',
  'tab closed',
  'session expired',
  'answer 503',
] as const;
export type Event = (typeof EVENTS)[number];

/** After the last key. */
const WAITS_MS = [0, 300, 1000] as const;

export interface Cell {
  screen: Screen;
  form: string;
  event: Event;
  waitMs: number;
  isShared: boolean;
}

/** Steps of a screen that have an address of their own. */
const FURTHER: Screen[] = [1, 2].map((step) => ({
  route: `/flight-log?step=${step}`,
  as: 'administrator',
  path: () => `/flight-log?step=${step}`,
}));

/** Every form of every screen that takes anything but a password: a new one is in by itself. */
export async function findCells(
  server: TestServer,
  context: BrowserContext,
  isWanted: (screen: Screen) => boolean = () => true,
): Promise<Cell[]> {
  const page = await context.newPage();
  const cells: Cell[] = [];
  for (const screen of [...screens(), ...FURTHER].filter(isWanted)) {
    await open(page, server, screen, await makeFullSchool(server.db), false);
    for (const form of await findForms(page)) cells.push(...cellsOf(screen, form));
  }
  await page.close();
  return cells;
}

/** As its user, once script has taken over. */
export async function open(
  page: Page,
  server: TestServer,
  screen: Screen,
  school: FullSchool,
  isShared: boolean,
): Promise<void> {
  await page.context().clearCookies();
  await signIn(page.context(), server, screen, school, isShared);
  await page.goto(screen.path(school));
  await hydrated(page);
}

export async function hydrated(page: Page): Promise<void> {
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
}

export async function signIn(
  context: BrowserContext,
  { db, url }: TestServer,
  { as }: Screen,
  school: FullSchool,
  isShared: boolean,
): Promise<void> {
  if (as === 'visitor') return;
  const cookie =
    as === 'signing in'
      ? await pendingCookieOf(school.student)
      : await cookieOf(db, school[as], { sharedComputer: isShared });
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
}

function cellsOf(screen: Screen, form: string): Cell[] {
  const isSignedIn = screen.as !== 'visitor' && screen.as !== 'signing in';
  const own = EVENTS.flatMap((event) => WAITS_MS.map((waitMs) => ({ screen, form, event, waitMs, isShared: false })));
  const shared = EVENTS.map((event) => ({ screen, form, event, waitMs: 300, isShared: true }));
  const outside: Event[] = ['session expired', 'tab closed'];
  // Who is nobody's user yet has no session to expire, and no device to keep anything on once the tab is closed.
  return isSignedIn ? [...own, ...shared] : own.filter(({ event }) => !outside.includes(event));
}
