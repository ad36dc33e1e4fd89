import { load } from 'cheerio/slim';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { connect, type Db } from '#db/connect.server.ts';
import { handleRequest } from '#tests/support/app-handler.ts';
import { LONG_TIMEOUTS } from '#tests/support/database.ts';
import { ownerUrl } from '#tests/support/database-url.ts';
import { drawn } from '#tests/support/drawn.ts';
import { withoutColumn } from '#tests/support/faults.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { matrixFixtures } from '#tests/support/matrix/fixtures.ts';
import { formRows } from '#tests/support/matrix/form-rows.ts';
import { furtherFormRows } from '#tests/support/matrix/further-form-rows.ts';
import type { MatrixRow } from '#tests/support/matrix/cells.ts';
import { cookieOf, formRequest, ORIGIN, pendingCookieOf } from '#tests/support/requests.ts';
import { actionPaths, pathOfRoute, ROUTES } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

vi.mock(import('#app/domain/meters/engine.server.ts'), () => import('#tests/support/fake-engine.ts'));
vi.mock(import('#db/deadlines.ts'), async (original) => ({ ...(await original()), TRANSACTION_RETRY_DELAY_MS: 1 }));
/** What the app connects to, before it reads its settings. */
const { url, drop, proxy } = await vi.hoisted(async () => {
  const { copyTemplate } = await import('#tests/support/database.ts');
  const { startDatabaseProxy } = await import('#tests/support/database-proxy.ts');
  const copy = await copyTemplate();
  const started = await startDatabaseProxy(copy.url);
  process.env.DATABASE_URL = started.through(copy.url);
  return { url: copy.url, drop: copy.drop, proxy: started };
});
const db: Db = connect(ownerUrl(url), LONG_TIMEOUTS);
const fixtures = matrixFixtures(db);

let admin: Member, schoolId: number;
beforeAll(async () => {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
});
afterAll(async () => {
  await proxy.stop();
  await db.destroy();
  await drop();
});

/** Nothing is entered there, or with script alone. */
const NO_FORMS = ['/*', '/logout', '/login/passkey', '/account/passkey'];
const pagePaths = ROUTES.filter(({ kind }) => kind === 'page').map(({ path }) => path);
const screens = actionPaths.filter((path) => pagePaths.includes(path) && !NO_FORMS.includes(path));
/** The last of a screen has most fields. */
const FORMS_DRAWN = 6;
const rows = screens.flatMap((path) => allRows().findLast((row) => isFormOf(row, path)) ?? []);

/** Of somebody who has entered the password: the code is wrong. */
const SIGN_IN_CODE = 'POST /login/code';

/** With the fields that a browser posts it with. */
interface Sent {
  request: Request;
  fields: [string, FormDataEntryValue][];
}

async function sent(row: MatrixRow): Promise<Sent> {
  const sender = await makeUser(db, schoolId, 'administrator');
  const id = row.id ? String(await row.id.own(sender)) : '';
  const cookie = row.name === SIGN_IN_CODE ? await pendingCookieOf(sender) : await cookieOf(db, sender);
  const request = row.valid(id)(cookie);
  return { request, fields: [...(await request.clone().formData())] };
}

async function whileRefused<Result>(work: () => Promise<Result>): Promise<Result> {
  await proxy.refuse();
  return work().finally(() => proxy.pass());
}

const send = async (request: Request) => {
  const response = await handleRequest(request);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** As a browser without script sends the form of a page; what is not kept is entered again. */
function sentFromPage(html: string, { request, fields }: Sent): Request {
  const $ = load(html);
  const form = $('main form');
  const body = new FormData();
  for (const input of form.find('input').toArray()) {
    const name = $(input).attr('name') ?? '';
    if ($(input).attr('type') === 'hidden') body.append(name, $(input).attr('value') ?? '');
    else for (const [, value] of fields.filter(([field]) => field === name)) body.append(name, value);
  }
  const isMultipart = form.attr('enctype') === 'multipart/form-data';
  const { headers } = request;
  return new Request(ORIGIN + form.attr('action'), {
    method: 'POST',
    headers: { cookie: headers.get('cookie') ?? '', origin: ORIGIN },
    body: isMultipart ? body : new URLSearchParams([...body].map(([name, value]) => [name, String(value)])),
  });
}

describe('a form that met a database which cannot be reached', () => {
  type Met = Sent & { answer: Awaited<ReturnType<typeof send>> };
  const met = new Map<MatrixRow, Met>();
  const tried = drawn(rows, FORMS_DRAWN, 'forms');
  beforeAll(async () => {
    const forms: [MatrixRow, Sent][] = [];
    for (const row of tried) forms.push([row, await sent(row)]);
    await whileRefused(async () => {
      for (const [row, form] of forms) met.set(row, { ...form, answer: await send(form.request) });
    });
  });

  it('every screen that answers a post is in the list (B908)', () => {
    const listed = rows.map((row) => pathOfRoute(row.valid('1')('')));
    expect(screens.filter((path) => !listed.includes(path))).toEqual([]);
  });

  it.each(tried)('$name is answered by a page that holds what was entered and sends it again (B908)', async (row) => {
    const form = met.get(row);
    if (!form) throw new Error('not sent');
    const { answer } = form;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    const $ = load(answer.text);
    for (const [name, value] of form.fields.filter(([name]) => /password/i.test(name))) {
      expect($(`input[name="${name}"]`).attr('type')).toBe('password');
      expect(answer.text).not.toContain(String(value));
    }
    const again = sentFromPage(answer.text, form);
    const isEntered = ([, value]: [string, FormDataEntryValue]) => !(value instanceof File && value.size === 0);
    const isOfPage = ([name, value]: [string, unknown]) =>
      name === 'typedForm' || (name === 'viewerId' && value === '');
    const fields = [...(await again.clone().formData())].filter((field) => !isOfPage(field));
    expect(comparable(fields)).toEqual(comparable(form.fields.filter(isEntered)));
    expect(again.url).toBe(form.request.url);
    expect((await send(again)).status).toBe(row.name === SIGN_IN_CODE ? 401 : row.success);
  });
});

describe('the page that sends a form again', () => {
  const typed = {
    text: '"><script>alert(1)</script>\n  second line',
    requestId: 'b8a3a5a0-6f0e-4f6c-9a53-0d5b6e9c1f00',
  };
  const addSquawk = async (more: Record<string, string> = {}) => {
    const path = `/airplanes/${await makeAircraft(db, schoolId)}/squawks/add`;
    return formRequest(path, { ...typed, ...more }, await cookieOf(db, admin));
  };

  it('runs no script and loads styles alone (B909)', async () => {
    const { headers, text } = await whileRefused(async () => send(await addSquawk()));
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual(expect.arrayContaining(["default-src 'none'", "form-action 'self'"]));
    expect(policy).not.toMatch(/script-src|unsafe/);
    expect(text).not.toContain('<script');
    const $ = load(text);
    expect($('input[name=text]').attr('value')).toBe(typed.text);
    expect($('main').text()).toContain('The database cannot be reached. Please try again in a moment.');
  });

  it('sent twice, it does what it asks for once (B908)', async () => {
    const request = await addSquawk();
    const { text } = await whileRefused(() => send(request));
    const form = { request, fields: [] };
    for (const _ of [1, 2]) expect((await send(sentFromPage(text, form))).status).toBe(303);
    const { length } = await db.selectFrom('squawks').select('id').where('text', 'like', '%second line').execute();
    expect(length).toBe(1);
  });

  it('holds what was entered where a refused form cannot be shown again, too (B965)', async () => {
    const aircraftId = await makeAircraft(db, schoolId);
    const path = `/flight-log/${await makeFlight(db, admin, aircraftId)}/post-check`;
    const request = formRequest(path, { endHobbsTime: 'much', notes: 'Left brake soft.' }, await cookieOf(db, admin));
    const answer = await withoutColumn(db, 'flight_logs', 'start_tach', () => send(request));
    const $ = load(answer.text);
    expect([answer.status, $('h1').text()]).toEqual([500, 'Please send this again']);
    expect($('input[name=notes]').attr('value')).toBe('Left brake soft.');
  });

  it('holds nothing of a form that another site has sent, or that is too large (B909)', async () => {
    const foreign = await addSquawk();
    foreign.headers.set('sec-fetch-site', 'cross-site');
    const tooLarge = await addSquawk({ remark: 'x'.repeat(300 * 1024) });
    const answers = await whileRefused(() => Promise.all([send(foreign), send(tooLarge)]));
    expect(answers.map(({ status }) => status)).toEqual([403, 503]);
    for (const { text } of answers) expect(load(text)('main form').length).toBe(0);
  });
});

function allRows(): MatrixRow[] {
  return [...formRows(fixtures), ...furtherFormRows(db, fixtures)];
}

function isFormOf({ valid }: MatrixRow, path: string): boolean {
  const request = valid('1')('');
  return request.method === 'POST' && pathOfRoute(request) === path;
}

function comparable(fields: [string, FormDataEntryValue][]): string[] {
  return fields
    .map(([name, value]) => `${name}=${value instanceof File ? value.name : value.replaceAll('\r\n', '\n')}`)
    .sort();
}
