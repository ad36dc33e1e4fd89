import { beforeAll, describe, expect, it } from 'vitest';
import { env } from '#app/env.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAfter, documentAt, type ServedDocument, textOf } from '#tests/support/documents.ts';
import { type EmptySchool, type FullSchool, makeEmptySchool, makeFullSchool } from '#tests/support/fixtures.ts';
import { drawn } from '#tests/support/drawn.ts';
import { type FormCase, FORMS } from '#tests/support/form-cases.ts';
import { freezeClock } from '#tests/support/frozen-clock.ts';
import { cookieOf, pendingCookieOf } from '#tests/support/requests.ts';
import { outlineOf, withoutChance } from '#tests/support/screen-outline.ts';
import { servedStates, type ScreenState } from '#tests/support/screen-states.ts';

const { db } = await testDatabase();
await freezeClock(db, '2026-06-01T12:00:00Z');

let full: FullSchool, empty: EmptySchool;
beforeAll(async () => {
  full = await makeFullSchool(db);
  empty = await makeEmptySchool(db);
});

const FORMS_DRAWN = 8;
const STATES_DRAWN = 16;

/** The screens whose parts the specification fixes, which are asked about always. */
const OUTLINED = [
  ...['/', '/login', '/register', '/airplanes', '/airplanes/add', '/users', '/users/invitations', '/ocr'],
  ...['/school-settings', 'Wizard, step 2', 'Flight log details', '/flight-log/:id/post-check'],
];
const isOutlined = ({ name }: ScreenState) => OUTLINED.includes(name);
const more = servedStates().filter((state) => !isOutlined(state));
const STATES = [...servedStates().filter(isOutlined), ...drawn(more, STATES_DRAWN, 'screens')];

/** Titles of screens that are headed by the name of what they show. */
const TITLES: Record<string, string> = {
  ...{ '/': 'Dashboard', Welcome: 'Dashboard', 'Dashboard in flight': 'Dashboard' },
  ...{ 'Dashboard of an instructor': 'Dashboard', '/login': 'Log in', '/auth': 'Log in' },
  ...{ '/airplanes/:id': 'Aircraft', 'Aircraft page of a student': 'Aircraft', 'Aircraft page, empty': 'Aircraft' },
  ...{ 'Aircraft page in flight': 'Aircraft', '/inspections/:id': 'Inspection', '/users/:id': 'User' },
  '/airplanes/:id/readings': 'Readings',
  ...{ '/flight-logs/:id': 'Flight', 'Check in, not the pilot': 'Check In' },
};

/** What the router or a refusal shows in the place of a screen has a title of its own. */
const ALONE: Record<string, string> = { '404 Page Not Found': '404 Page Not Found', Error: env.PRODUCT_NAME };

/** Forms that may be sent twice: a step of the check-out, a code that counts once. */
const KEYLESS = /^\/(?:logout|flight-log\?step=[01]|account\/second-factor)$/;

/** Whoever is not signed in is led nowhere else, and the dashboard is home. */
const WITHOUT_WAY_BACK = /^(?:\/|\/login.*|\/auth|\/forgot-password|\/register|\/reset-password|Welcome|Dashboard .*)$/;

it.each(STATES)(
  '$name has one heading, a title, a way back, named controls and no error (B020, B330, B596, B998, C58)',
  async (state) => {
    const { $ } = await visit(state);
    const headings = $('h1').toArray();
    const heading = textOf($('h1'));
    expect([headings.length, heading]).toEqual([1, expect.stringMatching(/\w/)]);
    const title = TITLES[state.name] ?? heading;
    expect($('head > title').text()).toBe(ALONE[title] ?? `${title} · ${env.PRODUCT_NAME}`);
    const back = $('main a[href="/"]').filter((_, link) => textOf($(link)) === 'Back to Dashboard').length;
    expect(back).toBe(WITHOUT_WAY_BACK.test(state.name) ? 0 : 1);
    expect(unnamedControls($)).toEqual([]);
    expect($('[aria-invalid], [data-invalid], .error, .error-summary, [required]').length).toBe(0);
    // The page that asks for the password again sends the waiting form with the key it had.
    const keyless = $('main form[method="post"]').filter((_, form) => $(form).find('[name="requestId"]').length === 0);
    expect(keyless.toArray().filter((form) => !KEYLESS.test($(form).attr('action') ?? '')).length).toBe(
      state.name === '/confirm-password' ? 1 : 0,
    );
  },
);

it.each(STATES.filter(({ as }) => as !== 'visitor' && as !== 'signing in'))(
  '$name says in each form that posts whom the page was made for (B1820)',
  async (state) => {
    const { $ } = await visit(state);
    const silent = $('form[method="post"]').filter(
      (_, form) => !/^\d+$/.test($(form).find('[name="viewerId"]').attr('value') ?? ''),
    );
    expect(silent.toArray().map((form) => $(form).attr('action'))).toEqual([]);
  },
);

describe('a screen whose parts the specification fixes has these and no other', () => {
  it('the dashboard of an administrator (B046-B052)', () => expectOutline('/'));
  it('the sign-in (B018, B019, B053, B054)', () => expectOutline('/login'));
  it('the registration (B069, B070)', () => expectOutline('/register'));
  it('the fleet, with the menu of each aircraft (B079, B083, B089)', () => expectOutline('/airplanes'));
  it('the form to add an aircraft (B097, B098)', () => expectOutline('/airplanes/add'));
  it('the users, whom an administrator manages but for the own row (B105, B106, B107, B108, B403, C31)', () =>
    expectOutline('/users'));
  it('the invitations, which offer three roles, student first chosen (B215, B216, B217)', () =>
    expectOutline('/users/invitations'));
  it('the form of a scan (B120)', () => expectOutline('/ocr'));
  it('the school settings (B133, C30)', () => expectOutline('/school-settings'));
  it('the readings at check-out, where Enter leads on (B158)', () => expectOutline('Wizard, step 2'));
  it('the details of a flight', () => expectOutline('Flight log details'));
  it('the check-in, where Enter completes the flight (B012, B192, B193, B194, B195, B200, B313)', () =>
    expectOutline('/flight-log/:id/post-check'));
});

it.each(drawn(FORMS, FORMS_DRAWN, 'forms'))(
  '$id labels its fields; sent, it marks the wrong ones, ties errors to them and keeps what was typed (B330)',
  async (form) => {
    const cookie = await cookieFor(form.as);
    const offered = await documentAt(form.path(full), cookie);
    const controls = controlsOf(offered, form.id)
      .not('[type="radio"]')
      .toArray()
      .map((control) => offered.$(control));
    const labels = controls.map((one) => [
      one.attr('name'),
      textOf(offered.$(`label[for="${one.attr('id')}"]`)).replace(/:.*/, ''),
    ]);
    expect(Object.fromEntries(labels)).toMatchObject({ ...form.required, ...form.optional });
    const required = controls.filter((control) => control.attr('aria-required') === 'true');
    expect(required.map((control) => control.attr('name')).toSorted()).toEqual(Object.keys(form.required).toSorted());
    const described = controls.flatMap((control) => control.attr('aria-describedby')?.split(' ') ?? []);
    const hints = offered.$(`#${form.id}`).find('.hint[id], .inline-note[id]').toArray();
    expect(described.toSorted()).toEqual(hints.map(({ attribs }) => attribs.id).toSorted());

    const page = await submit(form, offered, cookie);
    const { $ } = page;
    expect(page.status).toBe(400);
    const marked = $('[aria-invalid="true"]')
      .toArray()
      .map(({ attribs }) => [
        attribs.name,
        descriptionsOf(page, attribs['aria-describedby']).find((text) => text === form.errors[String(attribs.name)]),
      ]);
    expect(Object.fromEntries(marked)).toEqual(form.errors);
    const links = $('.error-summary li a')
      .toArray()
      .map((link) => [$(`[id="${$(link).attr('href')?.slice(1)}"]`).attr('name'), textOf($(link))]);
    // What is said of two fields at once leads to the first of them.
    const texts = Object.values(form.errors);
    expect(links).toEqual(Object.entries(form.errors).filter(([, text], at) => texts.indexOf(text) === at));

    expect($.html()).not.toContain('pw-1');
    const kept = new Map(
      controlsOf(page, form.id)
        .serializeArray()
        .map(({ name, value }) => [name, value]),
    );
    for (const [name, value] of Object.entries(form.typed)) {
      expect.soft([name, kept.get(name)?.trim()]).toEqual([name, /password/i.test(name) ? '' : value.trim()]);
    }
  },
);

it('a choice that is none is told beside its group, and the summary leads to its first choice (B119, B330)', async () => {
  const fields = { aircraftId: String(full.free), meterType: 'altimeter' };
  const { $ } = await documentAfter('/ocr?index', fields, await cookieFor('student'));
  const told = $(`[id="${$('fieldset[data-invalid]').attr('aria-describedby')}"]`);
  expect(textOf(told)).toBe('Invalid meter type');
  const link = $('.error-summary li a').filter((_, one) => textOf($(one)) === 'Invalid meter type');
  expect($(`[id="${link.attr('href')?.slice(1)}"]`).attr('value')).toBe('hobbs');
});

async function visit({ as, path, empty: isEmpty }: ScreenState): Promise<ServedDocument> {
  return documentAt(path(full), await cookieFor(as, isEmpty));
}

const cookies = new Map<string, Promise<string>>();

/** One session each, whichever tests run: the account shows them. */
function cookieFor(as: ScreenState['as'], isEmpty = false): Promise<string> {
  const key = `${as} ${isEmpty}`;
  if (!cookies.has(key)) cookies.set(key, signIn(as, isEmpty));
  return cookies.get(key) ?? Promise.resolve('');
}

async function signIn(as: ScreenState['as'], isEmpty: boolean): Promise<string> {
  if (as === 'visitor') return '';
  if (as === 'signing in') return pendingCookieOf(full.student);
  const people: Partial<Pick<FullSchool, 'administrator' | 'instructor' | 'student'>> = isEmpty ? empty : full;
  return cookieOf(db, people[as] ?? full[as]);
}

/** Controls without a label, buttons and links without words, by their markup. */
function unnamedControls($: ServedDocument['$']): string[] {
  const named = (id?: string) => textOf($(`label[for="${id}"]`)) !== '';
  const isNamed = (element: ReturnType<typeof $>) =>
    Boolean(element.attr('aria-label') ?? element.attr('aria-labelledby')) ||
    (element.is('input, select, textarea') ? named(element.attr('id')) : textOf(element) !== '');
  return $('body')
    .find('a, button, input, select, textarea')
    .not('[type="hidden"], [aria-hidden="true"], [aria-hidden="true"] *')
    .toArray()
    .filter((element) => !isNamed($(element)))
    .map((element) => $.html(element));
}

async function expectOutline(name: string): Promise<void> {
  const state = servedStates().find((each) => each.name === name);
  if (!state) throw new Error(`no screen ${name}`);
  const { $, status } = await visit(state);
  const lines = [`${status} ${$('head title').text()}`, outlineOf($, 'main')];
  const words = name.match(/\w+/g) ?? ['dashboard'];
  await expect(`${withoutChance(lines.join('\n'), full.token)}\n`).toMatchFileSnapshot(
    `screen-outlines/${words.join('-').toLowerCase()}.txt`,
  );
}

/** The page after the form is sent as a browser would send it. */
async function submit({ id, typed }: FormCase, { $ }: ServedDocument, cookie: string): Promise<ServedDocument> {
  const offered = $(`form#${id}`)
    .serializeArray()
    .map(({ name, value }) => [name, value]);
  return documentAfter($(`form#${id}`).attr('action') ?? '', { ...Object.fromEntries(offered), ...typed }, cookie);
}

function controlsOf({ $ }: ServedDocument, id: string) {
  return $(`form#${id}`).find('input, select, textarea').not('[type="hidden"], [aria-hidden="true"] *');
}

/** What stands at each id; every id must be there. */
function descriptionsOf({ $ }: ServedDocument, ids = ''): string[] {
  return ids.split(' ').map((id) => {
    expect($(`[id="${id}"]`).length, id).toBe(1);
    return textOf($(`[id="${id}"]`));
  });
}
