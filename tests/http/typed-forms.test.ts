import { beforeEach, describe, expect, it } from 'vitest';
import { loader as root } from '#app/root.tsx';
import { sessionCookieOf } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAfter, documentAt, hiddenFieldsOf, textOf } from '#tests/support/documents.ts';
import { call, cookieOf, formRequest, getRequest } from '#tests/support/requests.ts';
import { answerTo, ROUTES } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import { ageProof, expireSessions } from '#tests/support/sessions.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const FORM = '/airplanes/add#aircraft';
let admin: Awaited<ReturnType<typeof makeUser>>, cookie: string;
beforeEach(async () => {
  admin = await makeUser(db, schoolId, 'administrator');
  cookie = await cookieOf(db, admin);
});

const save = async (fields: Record<string, string>, who = cookie) => {
  const { status, body } = await answerTo(formRequest('/drafts', { typedForm: FORM, ...fields }, who));
  return { status, ...(status === 200 ? JSON.parse(String(body)) : {}) };
};
const formsOn = async (path: string, who = cookie) => (await root(call(getRequest(path, who)))).data.typed?.forms ?? {};
const valuesOn = async (path: string, who = cookie) =>
  Object.fromEntries(Object.entries(await formsOn(path, who)).map(([id, { values }]) => [id, values]));

const fieldsOf = async (path: string) => hiddenFieldsOf(await documentAt(path, cookie));

async function makeUserPage() {
  const { id } = await makeUser(db, schoolId, 'student');
  const typed = { username: `pilot${id}`, name: 'Typed', email: `p${id}@flightline.example`, role: 'student' };
  const change = db.updateTable('users').set({ name: 'Changed' }).where('id', '=', id);
  return { page: `/users/${id}`, typed, changeElsewhere: () => change.execute() };
}

async function makeInspectionPage() {
  const about = {
    school_id: schoolId,
    aircraft_id: await makeAircraft(db, schoolId),
    name: '100 h',
    due_hobbs: '200.0',
  };
  const { id } = await db.insertInto('inspections').values(about).returning('id').executeTakeFirstOrThrow();
  const due = { dueAt: 'hobbs', dueReading: '200.0', dueDate: '', interval: '', intervalUnit: 'hours' };
  const change = db.updateTable('inspections').set({ name: 'Changed' }).where('id', '=', id);
  const typed = { intent: 'save', name: 'Typed', ...due };
  return { page: `/inspections/${id}`, typed, changeElsewhere: () => change.execute() };
}

describe('what is typed into a form', () => {
  it('is rendered into it again, without passwords, codes and tokens, for who typed it (B885)', async () => {
    const secrets = { password: 'p', currentPassword: 'p', code: '123456', token: 't' };
    expect(await save({ tailNumber: 'N1', ...secrets })).toMatchObject({ status: 200, other: null });
    const other = await cookieOf(db, await makeUser(db, schoolId, 'administrator'));
    expect(await valuesOn('/airplanes/add')).toEqual({ aircraft: { tailNumber: 'N1' } });
    expect(await valuesOn('/airplanes/add', other)).toEqual({});
    expect(await valuesOn('/airplanes')).toEqual({});
  });

  it('says what another device has saved since, and that the page shows what came from there (B889, B942)', async () => {
    const start = new Date().toISOString();
    const elsewhere = await cookieOf(db, admin);
    await save({ tailNumber: 'N1' }, elsewhere);
    expect(await formsOn('/airplanes/add')).toMatchObject({ aircraft: { isElsewhere: true } });
    const noticeFor = async (who: string) => textOf((await documentAt('/airplanes/add', who)).$('main'));
    const words = 'What you typed in another sign-in, here or on another device, is in the form.';
    expect(await noticeFor(await cookieOf(db, await makeUser(db, schoolId, 'administrator')))).not.toContain(words);
    expect(await noticeFor(elsewhere)).not.toContain(words);
    expect(await noticeFor(cookie)).toContain(words);
    const past = new Date(Date.now() - 3_600_000).toISOString();
    expect(await save({ tailNumber: 'N2', typedSince: past })).toMatchObject({
      other: { values: { tailNumber: 'N1' } },
    });
    expect(await save({ tailNumber: 'N3', typedSince: start })).toMatchObject({ other: null });
    expect(await formsOn('/airplanes/add')).toMatchObject({
      aircraft: { isElsewhere: false, values: { tailNumber: 'N3' } },
    });
  });

  it('is neither kept nor sent as of somebody else who has signed in in another tab since (B1790, B1820)', async () => {
    const typed = { tailNumber: 'N8', make: 'Cessna', model: '172S', year: '2004' };
    const aircraft = { ...(await fieldsOf('/airplanes/add')), ...typed };
    const other = await cookieOf(db, await makeUser(db, schoolId, 'administrator'));
    expect(await save(aircraft, other)).toMatchObject({ status: 200, savedAt: null });
    expect(await valuesOn('/airplanes/add', other)).toEqual({});
    const refused = await answerTo(formRequest('/airplanes/add', aircraft, other));
    expect(refused).toMatchObject({
      status: 409,
      body: expect.stringContaining('Somebody else is signed in here now'),
    });
    expect(await save(aircraft)).toMatchObject({ savedAt: expect.any(String) });
    expect((await answerTo(formRequest('/airplanes/add', aircraft, cookie))).status).toBe(303);
  });

  it('is put away after the session for nobody but whom its page was made for, who sends it then (B888, B1821)', async () => {
    const typed = { tailNumber: 'N9', make: 'Cessna', model: '172S', year: '2004' };
    const aircraft = { ...(await fieldsOf('/airplanes/add')), ...typed };
    const next = await makeUser(db, schoolId, 'administrator');
    for (const [who, isTheirs] of [
      [next, false],
      [admin, true],
    ] as const) {
      const ended = await cookieOf(db, who);
      await expireSessions(db, who);
      const sent = await answerTo(formRequest('/airplanes/add', aircraft, ended));
      expect(sent.headers.get('location')).toBe('/login?to=%2Fairplanes%2Fadd');
      cookie = await cookieOf(db, who);
      expect(await valuesOn('/airplanes/add')).toMatchObject(isTheirs ? { aircraft: typed } : {});
      expect(Object.keys(await valuesOn('/airplanes/add'))).toHaveLength(isTheirs ? 1 : 0);
    }
    const again = { ...(await fieldsOf('/airplanes/add')), ...typed };
    expect((await answerTo(formRequest('/airplanes/add', again, cookie))).status).toBe(303);
  });

  it('is gone once the form was sent, and a draft that comes later is not kept (B890)', async () => {
    const requestId = crypto.randomUUID();
    const aircraft = { tailNumber: 'N7', make: 'Cessna', model: '172S', year: '2004', requestId };
    await save(aircraft);
    const sent = await answerTo(formRequest('/airplanes/add', { ...aircraft, typedForm: FORM }, cookie));
    expect(sent.status).toBe(303);
    expect(await valuesOn('/airplanes/add')).toEqual({});
    expect(await save(aircraft)).toMatchObject({ savedAt: null });
    expect(await valuesOn('/airplanes/add')).toEqual({});
  });

  nightly('stays while the form that was sent waits for the password, and then is gone (B890)', async () => {
    const { id } = await makeUser(db, schoolId, 'student');
    const [page, typedForm] = [`/users/${id}`, `/users/${id}#user`];
    await save({ typedForm, name: 'Typed' });
    await ageProof(db, admin, 16);
    const typed = { username: `pilot${id}`, name: 'Typed', email: 'pilot@flightline.example', role: 'instructor' };
    const asked = await answerTo(formRequest(page, { ...(await fieldsOf(page)), ...typed }, cookie));
    expect(asked.headers.get('location')).toBe(`/confirm-password?to=%2Fusers%2F${id}`);
    expect(await valuesOn(page)).toMatchObject({ user: { ...typed, role: 'instructor' } });
    const proof = await fieldsOf(String(asked.headers.get('location')));
    const done = await answerTo(formRequest(page, { ...proof, passwordAgain: PASSWORD }, cookie));
    expect([done.status, done.headers.get('location')]).toEqual([303, '/users']);
    expect(await valuesOn(page, sessionCookieOf(done))).toEqual({});
  });

  it('is in its form again where it waited for a password that was not entered, without script, too (B1171)', async () => {
    const { id } = await makeUser(db, schoolId, 'student');
    await ageProof(db, admin, 16);
    const typed = { username: `pilot${id}`, name: 'Typed', email: 'pilot@flightline.example', role: 'instructor' };
    const page = `/users/${id}`;
    const asked = await answerTo(formRequest(page, { ...(await fieldsOf(page)), ...typed }, cookie));
    expect(asked.headers.get('location')).toBe(`/confirm-password?to=%2Fusers%2F${id}`);
    const { $ } = await documentAt(page, cookie);
    expect($('input[name=name]').attr('value')).toBe('Typed');
    expect(await save({ typedForm: `/users/${id}#user`, name: 'Typed anew' })).toMatchObject({ status: 200 });
    expect((await answerTo(getRequest(String(asked.headers.get('location')), cookie))).headers.get('location')).toBe(
      page,
    );
    expect(await valuesOn(page)).toEqual({ user: { name: 'Typed anew' } });
  });

  it('and sent after the session had expired is rendered into it again (B888)', async () => {
    await expireSessions(db, admin);
    const sent = await answerTo(formRequest('/airplanes/add', { tailNumber: 'N8', intent: 'add' }, cookie));
    expect(sent.headers.get('location')).toBe('/login?to=%2Fairplanes%2Fadd');
    const forms = await formsOn('/airplanes/add', await cookieOf(db, admin));
    expect(forms).toMatchObject({ '': { isParked: true, isElsewhere: false, values: { tailNumber: 'N8' } } });
  });

  it('has no box ticked that was not when it was sent after the session, or before the password (B888)', async () => {
    const page = '/school-settings/webhooks/add';
    for (const age of [() => expireSessions(db, admin), () => ageProof(db, admin, 16)]) {
      admin = await makeUser(db, schoolId, 'administrator');
      cookie = await cookieOf(db, admin);
      const unticked = { ...(await fieldsOf(page)), url: 'https://hooks.example.com/1', squawkChanged: 'on' };
      await age();
      expect((await answerTo(formRequest(page, unticked, cookie))).status).toBe(303);
      const { $ } = await documentAt(page, await cookieOf(db, admin));
      expect($('input[name=url]').attr('value')).toBe('https://hooks.example.com/1');
      const ticked = $('input[type=checkbox][checked]').map((_, box) => $(box).attr('name'));
      expect(ticked.get()).toEqual(['squawkChanged']);
    }
  });

  it.each([
    ['a user', makeUserPage],
    ['an inspection', makeInspectionPage],
  ])(
    'of %s says that somebody else has changed it since, also from a draft or after a sign-in (B1681)',
    async (...row) => {
      const [, makePage] = row;
      for (const isParked of [true, false]) {
        cookie = await cookieOf(db, admin);
        const { page, typed, changeElsewhere } = await makePage();
        const shown: Record<string, string> = { ...(await fieldsOf(page)), ...typed };
        if (isParked) {
          await expireSessions(db, admin);
          await answerTo(formRequest(page, shown, cookie));
          cookie = await cookieOf(db, admin);
        } else {
          await save({ typedForm: String(shown.typedForm), name: typed.name, seen: String(shown.seen) });
        }
        await changeElsewhere();
        const refused = await documentAfter(page, { ...(await fieldsOf(page)), ...typed }, cookie);
        expect([isParked, refused.status]).toEqual([isParked, 409]);
        const informed = { ...hiddenFieldsOf(refused), ...typed };
        expect((await answerTo(formRequest(page, informed, cookie))).status).toBe(303);
      }
    },
  );

  it('of a form without a name is refused (B885)', async () => {
    for (const typedForm of ['', 'airplanes#x', '/airplanes', '/airplanes#a b', `//evil#`])
      expect(await save({ typedForm }), typedForm).toMatchObject({ status: 400 });
  });
});

const pages = ROUTES.filter(({ kind, exports, path }) => kind === 'page' && exports.has('action') && path !== '/*');

it('each screen with a form keeps its page where a post fails (B887)', async () => {
  for (const { path, load } of pages) expect(Object.keys(await load()), path).toContain('clientAction');
});
