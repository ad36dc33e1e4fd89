import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright';
import { makeFullSchool, type FullSchool } from '../fixtures.ts';
import { expireSessions } from '../sessions.ts';
import type { TestServer } from '../server.ts';
import { type Cell, type Event, hydrated, open, signIn } from './cells.ts';
import { fillForm, readForm, type Values } from './forms.ts';

/** How long what is kept may take to stand in the form again. */
const PATIENCE_MS = 15_000;
const STEP_MS = 50;

interface Scene {
  cell: Cell;
  server: TestServer;
  context: BrowserContext;
  school: FullSchool;
  page: Page;
}

/** Plays one cell; what is not as it should be, or undefined. */
export async function runCell(server: TestServer, context: BrowserContext, cell: Cell): Promise<string | undefined> {
  const school = await makeFullSchool(server.db);
  const scene: Scene = { cell, server, context, school, page: await context.newPage() };
  try {
    await scene.page.goto('/favicon.svg');
    await open(scene.page, server, cell.screen, school, cell.isShared);
    // A first value, kept by now, is the former one that must not come back.
    await fillForm(scene.page, cell.form, 1);
    const typed = await fillAnew(scene);
    await sleep(cell.waitMs);
    const words = await PLAYS[cell.event](scene);
    return (await differences(scene, typed)) ?? words;
  } catch (error) {
    return error instanceof Error ? error.message.split('\n')[0] : String(error);
  } finally {
    await scene.page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    await scene.page.close();
  }
}

async function fillAnew({ page, cell }: Scene): Promise<Values> {
  await page.evaluate(() =>
    document.querySelectorAll('[data-filled]').forEach((e) => e.removeAttribute('data-filled')),
  );
  return fillForm(page, cell.form, 2);
}

type Play = (scene: Scene) => Promise<string | undefined>;

const PLAYS: Record<Event, Play> = {
  'request aborted': async ({ page, cell }) => {
    const asked = await failPosts(page, (route) => route.abort('connectionreset'));
    await submit(page, cell.form);
    return (await asked()) ? missingWords(page) : 'nothing was sent';
  },
  'server gone': async ({ page, cell, context }) => {
    await context.setOffline(true);
    await submit(page, cell.form);
    const missing = await missingWords(page);
    await context.setOffline(false);
    await page.reload();
    await hydrated(page);
    return missing;
  },
  Back: async ({ page }) => {
    await page.goBack();
    await page.goForward();
    await hydrated(page);
    return undefined;
  },
  'link pressed': async ({ page }) => {
    const address = page.url();
    await page.locator('a.site-header-link').click();
    await page.waitForURL((url) => url.href !== address);
    await page.goBack();
    await page.waitForURL(address);
    return undefined;
  },
  reload: async ({ page }) => {
    await page.reload();
    await hydrated(page);
    return undefined;
  },
  'more typed early': async ({ page, cell }) => {
    // No draft has come to the server; a shared computer has nothing else.
    if (!cell.isShared) await page.route(/draft/, (route) => route.abort());
    await page.addInitScript(typeUntilHydrated, { form: cell.form, values: await readForm(page, cell.form) });
    await page.goto(page.url());
    await hydrated(page);
    return undefined;
  },
  'tab closed': async (scene) => {
    const address = scene.page.url();
    await scene.page.close({ runBeforeUnload: true });
    scene.page = await scene.context.newPage();
    await scene.page.goto(address);
    await hydrated(scene.page);
    return undefined;
  },
  'session expired': async (scene) => {
    const { page, cell, server, school, context } = scene;
    if (cell.screen.as === 'visitor' || cell.screen.as === 'signing in') return undefined;
    const address = page.url();
    await expireSessions(server.db, school[cell.screen.as]);
    await submit(page, cell.form);
    await page.waitForURL(/\/login\?/);
    await signIn(context, server, cell.screen, school, cell.isShared);
    const to = new URL(page.url()).searchParams.get('to') ?? '';
    await page.goto(new URL(to, address).pathname === new URL(address).pathname ? to : address);
    await hydrated(page);
    return undefined;
  },
  'answer 503': async ({ page, cell }) => {
    const unavailable = { status: 503, contentType: 'text/plain', body: 'Service Unavailable' };
    const asked = await failPosts(page, (route) => route.fulfill(unavailable));
    await submit(page, cell.form);
    return (await asked()) ? missingWords(page) : 'nothing was sent';
  },
};

/** Types the first text of the form again and again while the page comes; runs in the browser. */
function typeUntilHydrated({ form, values }: { form: string; values: Values }): void {
  const timer = setInterval(() => {
    const shown = document.getElementById(form);
    const typed = shown instanceof HTMLFormElement ? [...shown.elements] : [];
    const text = typed.find(
      (control) => control.matches('input:not([type]), [type=text], textarea') && control.getAttribute('name'),
    );
    const value = values[text?.getAttribute('name') ?? ''];
    if (!(text instanceof HTMLInputElement || text instanceof HTMLTextAreaElement) || value === undefined) return;
    text.value = value;
    text.dispatchEvent(new Event('input', { bubbles: true }));
    if ('hydrated' in document.documentElement.dataset) clearInterval(timer);
  }, 40);
}

/** Fails the posts of forms, drafts not among them; the function waits until one was tried. */
async function failPosts(page: Page, fail: (route: Parameters<Parameters<Page['route']>[1]>[0]) => Promise<void>) {
  let tried = false;
  await page.route('**/*', (route) => {
    const request = route.request();
    if (request.method() !== 'POST' || /draft/.test(request.url())) return route.fallback();
    tried = true;
    return fail(route);
  });
  return async () => {
    for (let waited = 0; !tried && waited < PATIENCE_MS; waited += STEP_MS) await sleep(STEP_MS);
    return tried;
  };
}

async function submit(page: Page, form: string): Promise<void> {
  await page.evaluate((id) => {
    const element = document.getElementById(id);
    if (element instanceof HTMLFormElement)
      element.requestSubmit(element.querySelector<HTMLButtonElement>('button:not([type=button])'));
  }, form);
}

/** Nothing is missing where a message says that it failed. */
async function missingWords(page: Page): Promise<string | undefined> {
  return page
    .locator('.toast[data-tone=destructive]')
    .waitFor({ timeout: PATIENCE_MS })
    .then(
      () => undefined,
      () => 'no words',
    );
}

async function differences({ page, cell }: Scene, typed: Values): Promise<string | undefined> {
  let found: Values = {};
  for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
    found = await readForm(page, cell.form).catch(() => ({}));
    if (differing(typed, found, cell).length === 0) return undefined;
    await sleep(STEP_MS);
  }
  const names = differing(typed, found, cell);
  return names.map((name) => `${name}: '${found[name] ?? '(none)'}' for '${typed[name]}'`).join('; ');
}

/** A shared computer keeps no photo. */
function differing(typed: Values, found: Values, { isShared }: Cell): string[] {
  return Object.keys(typed).filter(
    (name) => found[name] !== typed[name] && !(isShared && typed[name]?.endsWith('.jpg')),
  );
}
