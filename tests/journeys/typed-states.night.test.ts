import type { Page } from 'playwright';
import { findDraft } from '#app/domain/drafts.server.ts';
import { expect } from '#tests/support/expect.ts';
import { fc } from '#tests/support/properties.ts';
import { cookieOf, formRequest } from '#tests/support/requests.ts';
import { expireSessions } from '#tests/support/sessions.ts';
import { journey, WITH_SCRIPT, type JourneyContext } from './support/journey.ts';
import { dropNextAnswer, dropNextPost, holdNext } from './support/network.ts';
import { isInOutbox, outboxRows } from './support/outbox.ts';

/** The states of a form that is typed into, as docs/architecture.md draws them; what each command has to leave. */
interface State {
  /** What was typed last and not sent; null once it was. */
  typed: string | null;
  aircraft: number;
}

interface Real extends JourneyContext {
  user: { id: number };
  other: { id: number };
}

type Command = fc.AsyncCommand<State, Real>;

const RUNS = 4;
const PAGE = '/airplanes/add';
const LOST = /ERR_|Failed to fetch|NetworkError|dynamically imported module/;

journey(
  'what is typed lives until it was sent once, whatever comes between, in any order (B1174)',
  async (ctx) => {
    const commands = fc.commands(Object.entries(RUNS_BY_NAME).map(command), { maxCommands: 8 });
    await fc.assert(
      fc.asyncProperty(commands, async (chosen) => {
        const [user, other] = [await ctx.school.user('administrator'), await ctx.school.user('administrator')];
        await ctx.signIn(user);
        const real: Real = { ...ctx, page: await ctx.tab(), user, other };
        await ctx.visit(PAGE, real.page);
        const aircraft = await countAircraft(real);
        await fc.asyncModelRun(() => ({ model: { typed: null, aircraft }, real }), chosen);
        await logOut(real.page);
        await real.page.close();
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  { modes: WITH_SCRIPT, expects: LOST, context: {} },
);

const RUNS_BY_NAME: Record<string, (state: State, real: Real, text: string) => Promise<void>> = {
  type: async (state, { page, visit }, text) => {
    await visit(PAGE, page);
    await type(page, text);
    state.typed = text;
  },
  'type while the script is late': async (state, { page, visit }, text) => {
    const script = await holdNext(page, '**/assets/typed-*.js', 'GET');
    await visit(PAGE, page);
    await type(page, text);
    await script.release();
    await expect.poll(() => isInOutbox(page, text)).toBe(true);
    await page.unrouteAll({ behavior: 'wait' });
    state.typed = text;
  },
  'type in a second tab': async (state, { tab, visit }, text) => {
    const second = await tab();
    await visit(PAGE, second);
    await type(second, text);
    await second.close({ runBeforeUnload: true });
    state.typed = text;
  },
  'type on another device': async (state, real, text) => {
    await finishTyping(state, real);
    const draft = { typedForm: `${PAGE}#aircraft`, make: text, typedAt: String(Date.now()) };
    const [name = '', value = ''] = (await cookieOf(real.db, real.user)).split(/=(.*)/s);
    const sent = formRequest('/drafts', draft, `${name}=${value}`);
    const origin = new URL(real.page.url()).origin;
    const { status } = await fetch(`${origin}/drafts`, {
      method: 'POST',
      headers: { ...Object.fromEntries(sent.headers), origin, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(draft),
    });
    expect(status).toBe(200);
    state.typed = text;
  },
  reload: async (_, { page, ready }) => {
    await page.reload();
    await ready(page);
  },
  'close the tab': async (_, real) => {
    const next = await real.tab();
    await real.page.close({ runBeforeUnload: true });
    real.page = next;
  },
  'expire and post': async (state, { page, visit, db, user, signIn }, text) => {
    await visit(PAGE, page);
    await type(page, text);
    await expireSessions(db, user);
    await add(page);
    await page.waitForURL(/\/login\?/);
    await signIn(user);
    state.typed = text;
  },
  'lose the post': async (state, { page, visit }, text) => {
    await visit(PAGE, page);
    await type(page, text);
    const network = await dropNextPost(page);
    await add(page);
    await network.lost();
    await toast(page);
    state.typed = text;
  },
  'lose the answer, and send again': async (state, real, text) => {
    const { page, visit, ready } = real;
    await visit(PAGE, page);
    await type(page, text);
    const network = await dropNextAnswer(page);
    await add(page);
    await network.lost();
    await toast(page);
    await page.reload();
    await ready(page);
    await expect(page.getByLabel('Make')).toHaveValue(text);
    await add(page);
    await expect(page).toHaveURL('/airplanes');
    state.typed = null;
    state.aircraft += 1;
  },
  send: async (state, { page, visit }, text) => {
    await visit(PAGE, page);
    await type(page, text);
    await add(page);
    await expect(page).toHaveURL('/airplanes');
    state.typed = null;
    state.aircraft += 1;
  },
  'sign out and in': async (_, { page, user, signIn }) => {
    await logOut(page);
    expect(await outboxRows(page)).toEqual([]);
    await signIn(user);
  },
  'somebody else': async (_, { page, visit, user, other, signIn }) => {
    await visit('/', page);
    await logOut(page);
    await signIn(other);
    await visit(PAGE, page);
    await expect(page.getByLabel('Make')).toHaveValue('');
    expect(await page.content()).not.toContain('Typed-');
    await signIn(user);
  },
};

/** A command that can come at any time, after which the promise is looked at. */
const command = ([name, run]: [string, (typeof RUNS_BY_NAME)[string]]): fc.Arbitrary<Command> =>
  fc.constant({
    check: () => true,
    run: async (state, real) => {
      texts += 1;
      await run(state, real, `Typed-${texts}`);
      await checkPromise(state, real);
    },
    toString: () => name,
  });

/** Each is another. */
let texts = 100;

/** Nothing typed is lost, nothing sent comes back, and nothing is sent twice. */
async function checkPromise({ typed, aircraft }: State, real: Real): Promise<void> {
  await real.visit(PAGE, real.page);
  await expect(real.page.getByLabel('Make')).toHaveValue(typed ?? '');
  expect(await countAircraft(real)).toBe(aircraft);
}

async function countAircraft({ db, school }: Pick<Real, 'db' | 'school'>): Promise<number> {
  return (await db.selectFrom('aircraft').select('id').where('school_id', '=', school.id).execute()).length;
}

/** Until the server has what was typed here, and the page has it from there: another device would be a second too early. */
async function finishTyping({ typed }: State, { page, visit, db, user }: Real): Promise<void> {
  const draft = () => findDraft(db, user.id, `${PAGE}#aircraft`);
  if (typed !== null) await expect.poll(async () => (await draft()).values?.make).toBe(typed);
  await visit(PAGE, page);
}

async function type(page: Page, text: string): Promise<void> {
  await page.getByLabel('Tail Number').fill(`N${text.replace('Typed-', '')}TS`);
  await page.getByLabel('Make').fill(text);
}

async function add(page: Page): Promise<void> {
  await page.getByLabel('Model').fill('172S');
  await page.getByLabel('Year').fill('2004');
  await page.locator('main form button[type=submit]').last().click();
}

async function toast(page: Page): Promise<void> {
  await expect(page.locator('.toast[data-tone=destructive]')).toBeVisible();
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
}
