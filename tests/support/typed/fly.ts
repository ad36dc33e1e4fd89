import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright';
import { hydrated } from './cells.ts';

/** What a pilot types of one flight. */
export interface TypedFlight {
  aircraftId: number;
  start: Readings;
  end: Readings;
  notes: string;
}

interface Readings {
  hobbs: string;
  tach: string;
}

type State = 'on the ground' | 'flying' | 'unknown';

const STEP_MS = 60_000;
const TRIES = 6;

/** Checks out and in as a patient pilot does, until the server's own page says that it was done. */
export async function fly(page: Page, flight: TypedFlight): Promise<void> {
  await reach(page, 'flying', () => checkOut(page, flight));
  await reach(page, 'on the ground', () => checkIn(page, flight));
}

async function reach(page: Page, wanted: State, act: () => Promise<void>): Promise<void> {
  for (;;) {
    const state = await stateOf(page).catch((): State => 'unknown');
    if (state === wanted) return;
    // The browser's own error page, a lost script or a lost answer: the pilot looks at the dashboard again.
    if (state !== 'unknown') await act().catch(() => undefined);
  }
}

async function stateOf(page: Page): Promise<State> {
  await page.goto('/', { timeout: STEP_MS });
  await hydrated(page);
  await sleep(300);
  if (await page.getByText(/No network/).isVisible()) return 'unknown';
  if (await notSentYet(page).isVisible()) {
    await sleep(2000);
    const send = notSentYet(page).getByRole('button', { name: 'Send now' }).first();
    if (await send.isVisible()) await send.click();
    return 'unknown';
  }
  if (await underWay(page).isVisible()) return 'flying';
  return (await checkOutLink(page).isVisible()) ? 'on the ground' : 'unknown';
}

async function checkOut(page: Page, { aircraftId, start }: TypedFlight): Promise<void> {
  await checkOutLink(page).click();
  await page.waitForURL(/flight-log/, { timeout: STEP_MS });
  await hydrated(page);
  await page.getByLabel('Aircraft', { exact: true }).selectOption(String(aircraftId), { timeout: STEP_MS });
  // The steps, or the one form that stands in for them.
  const hasSteps = await page.getByRole('button', { name: 'Next', exact: true }).isVisible();
  if (hasSteps) await press(page, 'Next', page.getByLabel('Hobbs Time'));
  await page.getByLabel('Hobbs Time').fill(start.hobbs);
  await page.getByLabel('Tach Time').fill(start.tach);
  if (hasSteps) await press(page, 'Next', page.getByRole('button', { name: 'Start Flight' }));
  await press(page, 'Start Flight', underWay(page).or(notSentYet(page)).first());
}

async function checkIn(page: Page, { end, notes }: TypedFlight): Promise<void> {
  await page.getByRole('link', { name: 'Complete Post-Flight Check' }).click();
  await page.getByLabel('End Hobbs Time').fill(end.hobbs, { timeout: STEP_MS });
  await page.getByLabel('End Tach Time').fill(end.tach);
  await page.getByLabel('Notes', { exact: true }).fill(notes);
  await press(page, 'Complete Flight', checkOutLink(page).or(notSentYet(page)).first());
}

/** As often as its answer is lost. */
async function press(page: Page, name: string, next: Locator): Promise<void> {
  const isPost = (request: { method(): string; url(): string }) =>
    request.method() === 'POST' && !/draft/.test(request.url());
  for (let tried = 0; tried < TRIES && !(await next.isVisible()); tried += 1) {
    const options = { predicate: isPost, timeout: STEP_MS };
    const over = Promise.any([
      page.waitForEvent('requestfinished', options),
      page.waitForEvent('requestfailed', options),
    ]);
    over.catch(() => undefined);
    await page.getByRole('button', { name, exact: true }).click({ timeout: STEP_MS / 4 });
    await over.catch(() => undefined);
    await next.waitFor({ timeout: 5000 }).catch(() => undefined);
  }
}

const checkOutLink = (page: Page) => page.getByRole('link', { name: 'Check Out', exact: true });
const underWay = (page: Page) => page.getByText('You have an active flight in progress.');
const notSentYet = (page: Page) => page.getByRole('region', { name: 'Not sent yet' });
