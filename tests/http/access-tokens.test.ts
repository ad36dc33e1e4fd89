import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '#db/connect.server.ts';
import { ageProof, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import { type Answer, answerTo, cookiesAfter, toastAfter } from '#tests/support/ask.ts';
import { cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { documentAfter, documentAt, nightly, textOf, textsOf } from '#tests/support/pages.ts';
import { findTokenActor } from '#app/domain/people/access-tokens/access-tokens.server.ts';
import { MAX_ACCESS_TOKEN_REQUESTS, MAX_ACCESS_TOKENS } from '#app/limits.ts';
import { recorder } from '#app/server/event-recorder.server.ts';
import { bearerOf, insertAccessToken } from '#tests/support/access-tokens.ts';
import { insertPasskey } from '#tests/support/passkey-rows.ts';

const { db, url } = await testDatabase();

let schoolId: number, admin: Member, cookie: string;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  cookie = await cookieOf(db, admin);
});

const fields = () => ({ name: 'Books', scope: 'read', days: '90', requestId: randomUUID() });
const add = (typed: Record<string, string> = fields(), as = cookie) =>
  answerTo(formRequest('/account/token', typed, as));
const removing = (id?: number) => {
  const removal = { intent: 'remove-access-token', accessToken: String(id), requestId: randomUUID() };
  return answerTo(formRequest('/account', removal, cookie));
};
const tokensOf = (user: Member) =>
  db.selectFrom('access_tokens').selectAll().where('user_id', '=', user.id).orderBy('id').execute();
const get = (path: string, authorization: string, as = '') => answerTo(getRequest(path, as, { authorization }));
const send = (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body: unknown, authorization: string) =>
  answerTo(jsonRequest(method, path, body, '', { authorization }));
const statusOf = async (answer: Promise<Answer>) => (await answer).status;
const textAnd = ({ status, body }: Answer) => [status, body];

describe('adding an access token', () => {
  it('shows the token once, with and after script, and stores its hash only (B900, C90)', async () => {
    const { $ } = await documentAfter('/account/token', fields(), cookie);
    const token = textOf($('code.secret'));
    expect(token).toMatch(/^fl_[0-9a-f]{40}$/);
    const [row] = await tokensOf(admin);
    expect(row).toMatchObject({ name: 'Books', scope: 'read', last_used_at: null });
    expect(JSON.stringify(row)).not.toContain(token.slice(3));
    expect(await statusOf(get('/api/user', `Bearer ${token}`))).toBe(200);
    const account = await documentAt('/account', cookie);
    expect(account.$.html()).not.toContain(token);
    expect(textOf(account.$('h3:contains("Books")'))).toBe('Books');
  });

  nightly('sent twice, adds one, and the token that was shown last is the good one (B900)', async () => {
    const other = await bearerOf(db, admin, 'read');
    const typed = fields();
    const shown = async (as = cookie) => textOf((await documentAfter('/account/token', typed, as)).$('code.secret'));
    const colleague = await makeUser(db, admin.schoolId);
    const theirs = await shown(await cookieOf(db, colleague));
    const [first, last] = [await shown(), await shown()];
    expect(await tokensOf(admin)).toHaveLength(2);
    expect(await statusOf(get('/api/user', `Bearer ${theirs}`))).toBe(200);
    expect(await statusOf(get('/api/user', other))).toBe(200);
    expect(await statusOf(get('/api/user', `Bearer ${first}`))).toBe(401);
    expect(await statusOf(get('/api/user', `Bearer ${last}`))).toBe(200);
    expect(JSON.stringify(await db.selectFrom('idempotency_keys').select('response').execute())).not.toContain('fl_');
    await db.deleteFrom('access_tokens').execute();
    expect((await add(typed)).status).toBe(404);
  });

  it('asks for the password again a quarter of an hour after it was entered, as removing does (B900)', async () => {
    await ageProof(db, admin, 16);
    expect((await add()).headers.get('location')).toBe('/confirm-password?to=%2Faccount%2Ftoken');
    expect(await tokensOf(admin)).toEqual([]);
    const answer = await removing(await insertAccessToken(db, admin));
    expect(answer.headers.get('location')).toBe('/confirm-password?to=%2Faccount');
    expect(await tokensOf(admin)).toHaveLength(1);
  });

  it('what is wrong is said beside each field, and a user has at most twenty (B900)', async () => {
    const { $ } = await documentAfter('/account/token', { name: '', scope: 'all', days: '36500' }, cookie);
    const errors = textsOf($, '[id$=-error]');
    expect(errors).toEqual(['Please give it a name', 'Please choose what it may do', 'Please choose when it ends']);
    expect((await add({ ...fields(), name: 'x'.repeat(101) })).status).toBe(400);
    for (let count = 0; count < MAX_ACCESS_TOKENS; count += 1) await insertAccessToken(db, admin);
    expect((await add()).status).toBe(409);
  });

  it('the activity names who added and removed it, and asked for more than its scope; removing ends it (B904)', async () => {
    const bearer = await bearerOf(db, admin);
    const [row] = await tokensOf(admin);
    await add();
    expect(await toastAfter(await removing(row?.id))).toMatchObject({ title: 'Access token removed' });
    expect(await statusOf(get('/api/user', bearer))).toBe(401);
    const entries = await db
      .selectFrom('audit_entries')
      .select(['action', 'subject', 'subject_id', 'before', 'after'])
      .where('user_id', '=', admin.id)
      .orderBy('id')
      .execute();
    const about = { subject: 'user', subject_id: admin.id };
    expect(entries).toEqual([
      { ...about, action: 'added access token', before: null, after: { name: 'Books', scope: 'read', days: 90 } },
      { ...about, action: 'removed access token', before: { name: 'Books', scope: 'manage' }, after: null },
    ]);
    const reading = await bearerOf(db, admin, 'read');
    const body = { aircraftId: await makeAircraft(db, schoolId), text: 'Flat tyre' };
    expect(await statusOf(send('POST', '/api/squawks', body, reading))).toBe(403);
    await recorder.flush();
    const refused = db.selectFrom('audit_entries').select('user_id').where('action', '=', 'refused request');
    expect(await refused.where('school_id', '=', schoolId).execute()).toEqual([{ user_id: admin.id }]);
  });
});

describe('a request with an access token', () => {
  it('needs no cookie, acts as its user, names what is left of its minute, and opens no page (B901, B905, C90)', async () => {
    const bearer = await bearerOf(db, admin, 'read');
    const first = await get('/api/user', bearer);
    expect([first.status, JSON.parse(String(first.body))]).toMatchObject([200, { id: admin.id }]);
    const [row] = await tokensOf(admin);
    expect(row?.last_used_at).toBeInstanceOf(Date);
    expect(first.headers.get('ratelimit-policy')).toBe(`"token";q=${MAX_ACCESS_TOKEN_REQUESTS};w=60`);
    const left = (count: number) => expect.stringMatching(new RegExp(`^"token";r=${count};t=\\d+$`));
    expect(first.headers.get('ratelimit')).toEqual(left(MAX_ACCESS_TOKEN_REQUESTS - 1));
    expect((await answerTo(getRequest('/api/user', cookie))).headers.has('ratelimit')).toBe(false);
    const refused = await get('/api/flight-logs/999999999', bearer);
    expect([refused.status, refused.headers.get('ratelimit')]).toEqual([404, left(MAX_ACCESS_TOKEN_REQUESTS - 2)]);
    // The scheme has no case.
    expect(await statusOf(get('/api/user', bearer.replace('Bearer', 'bearer')))).toBe(200);
    expect((await get('/users', bearer)).status).toBe(302);
    const foreign = { authorization: await bearerOf(db, admin), origin: 'https://elsewhere.example' };
    const body = { aircraftId: await makeAircraft(db, schoolId), text: 'Flat tyre' };
    expect((await answerTo(jsonRequest('POST', '/api/squawks', body, '', foreign))).status).toBe(403);
  });

  it('opens calls and the photos they name alone, and, as its label says, manages and exports (B901, B902, B937)', async () => {
    const bearer = await bearerOf(db, admin);
    for (const path of ['/drafts?form=/account%23name', '/unsent/keys', '/jump?q=a', '/account/data'])
      expect([path, await statusOf(get(path, bearer))]).toEqual([path, 401]);
    expect(await statusOf(get('/photos/1', bearer))).toBe(404);
    const { $ } = await documentAt('/account/token', cookie);
    const label = 'the export of your school too, but nothing else that asks for your password';
    expect(textOf($('form'))).toContain(label);
    expect(await statusOf(send('POST', '/api/export', {}, bearer))).toBe(200);
    const id = await insertAccessToken(db, admin);
    expect(await statusOf(send('DELETE', `/api/tokens/${id}`, undefined, bearer))).toBe(200);
    const person = await makeUser(db, schoolId);
    const words = 'This asks for your password: please do it in the browser.';
    const promoted = await send('PATCH', `/api/users/${person.id}`, { role: 'instructor' }, bearer);
    expect(textAnd(promoted)).toEqual([403, words]);
  });

  nightly('notes its use anew after a minute, and reads where that cannot be noted (B901, B510)', async () => {
    const bearer = await bearerOf(db, admin, 'read');
    await db.updateTable('schools').set({ time_zone: 'Pacific/Kiritimati' }).where('id', '=', schoolId).execute();
    const usedAt = async (before: string) => {
      const last_used_at = sql<Date>`now() - ${before}::interval`;
      await db.updateTable('access_tokens').set({ last_used_at }).where('user_id', '=', admin.id).execute();
      const actor = await findTokenActor(db, bearer.replace('Bearer ', ''));
      expect(actor).toMatchObject({ id: admin.id, timeZone: 'Pacific/Kiritimati' });
      const { age } = await db
        .selectFrom('access_tokens')
        .select(sql<number>`extract(epoch from now() - last_used_at)::integer`.as('age'))
        .where('user_id', '=', admin.id)
        .executeTakeFirstOrThrow();
      return age;
    };
    expect(await usedAt('1 day')).toBeLessThan(3600);
    expect(await usedAt('-1 day')).toBeLessThan(0);
    const readOnly = connect(url, { max: 1 });
    onTestFinished(() => readOnly.destroy());
    await sql`set session characteristics as transaction read only`.execute(readOnly);
    await db.updateTable('access_tokens').set({ last_used_at: null }).where('user_id', '=', admin.id).execute();
    const actor = await findTokenActor(readOnly, bearer.replace('Bearer ', ''));
    expect(actor).toMatchObject({ id: admin.id });
    expect(await tokensOf(admin)).toMatchObject([{ last_used_at: null }]);
  });

  it('is refused where it is unknown, ended, no Bearer, or its user’s role may not (B901, B902, C90)', async () => {
    const ended = `Bearer fl_${'0'.repeat(40)}`;
    expect(await statusOf(get('/api/user', ended, cookie))).toBe(401);
    const bearer = await bearerOf(db, admin);
    expect(await statusOf(get('/api/user', bearer.replace('Bearer', 'Basic')))).toBe(401);
    expect(await statusOf(get('/api/user', bearer.replace('Bearer', 'Basic'), cookie))).toBe(200);
    const created_at = sql<Date>`now() - interval '2 days'`;
    const expires_at = sql<Date>`now() - interval '1 second'`;
    await sql`update access_tokens set created_at = ${created_at}, expires_at = ${expires_at}`.execute(db);
    expect(textAnd(await get('/api/user', bearer))).toEqual([401, 'Unauthorized']);
    const managing = await bearerOf(db, admin);
    await db.updateTable('users').set({ role: 'student' }).where('id', '=', admin.id).execute();
    const aircraft = { tailNumber: 'N1NEW', make: 'Cessna', model: '172S', year: 2004 };
    expect(textAnd(await send('POST', '/api/aircraft', aircraft, managing))).toEqual([403, 'Forbidden']);
  });

  it('reads with every scope, flies with two, and manages with one (B902, C90)', async () => {
    const aircraftId = await makeAircraft(db, schoolId);
    const take = { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0' };
    const read = await bearerOf(db, admin, 'read');
    expect(await statusOf(get('/api/flight-logs', read))).toBe(200);
    const headers = getRequest('/api/flight-logs', '', { authorization: read });
    expect(await statusOf(answerTo(new Request(headers, { method: 'HEAD' })))).toBe(200);
    expect(textAnd(await send('POST', '/api/flight-logs', take, read))).toEqual([
      403,
      "This access token may not do this: it takes the scope 'fly'.",
    ]);
    const fly = await bearerOf(db, admin, 'fly');
    const ground = (bearer: string) =>
      send('PUT', `/api/aircraft/${aircraftId}/status`, { status: 'maintenance' }, bearer);
    expect(await statusOf(send('POST', '/api/flight-logs', take, fly))).toBe(201);
    const { id } = await db.selectFrom('flight_logs').select('id').executeTakeFirstOrThrow();
    const ends = { endHobbsTime: '101.2', endTachTime: '91.0' };
    expect(await statusOf(send('POST', `/api/flight-logs/${id}/complete`, ends, fly))).toBe(200);
    expect(await statusOf(send('POST', '/api/squawks', { aircraftId, text: 'Flat tyre' }, fly))).toBe(201);
    expect(textAnd(await ground(fly))).toEqual([
      403,
      "This access token may not do this: it takes the scope 'manage'.",
    ]);
    expect(await statusOf(ground(await bearerOf(db, admin, 'manage')))).toBe(200);
  });

  it('ends with its user, a new password and a sign-out everywhere (B903)', async () => {
    const person = await makeUser(db, schoolId);
    const bearer = await bearerOf(db, person, 'read');
    const personCookie = await cookieOf(db, person);
    const passwords = { currentPassword: PASSWORD, password: 'quite-another-9', confirmPassword: 'quite-another-9' };
    const changed = await answerTo(formRequest('/account/password', passwords, personCookie));
    expect(await statusOf(get('/api/user', bearer))).toBe(401);
    const second = await bearerOf(db, person, 'read');
    await answerTo(formRequest('/account', { intent: 'sign-out-everywhere' }, cookiesAfter(personCookie, changed)));
    expect(await statusOf(get('/api/user', second))).toBe(401);
    const third = await bearerOf(db, person, 'read');
    await answerTo(jsonRequest('DELETE', `/api/users/${person.id}`, undefined, cookie));
    expect(await statusOf(get('/api/user', third))).toBe(401);
    expect(await tokensOf(person)).toEqual([]);
    const left = await bearerOf(db, person, 'read');
    expect(await statusOf(get('/api/aircraft', left)), 'even if a row were left').toBe(401);
  });

  nightly('serves nobody without a second factor asked for, nor once it is removed (B903)', async () => {
    const bearer = await bearerOf(db, admin, 'read');
    await db.updateTable('schools').set({ administrators_need_second_factor: true }).execute();
    expect(await statusOf(get('/api/users', bearer))).toBe(403);
    await insertPasskey(db, admin);
    expect(await statusOf(get('/api/users', bearer))).toBe(200);
    const aircraftId = await makeAircraft(db, schoolId);
    const flight = await makeFlight(db, admin, aircraftId);
    const flying = await bearerOf(db, admin, 'fly');
    const waiting = await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('access_tokens').where('user_id', '=', admin.id).execute();
      const ends = { endHobbsTime: '101.2', endTachTime: '91.0' };
      return { answer: send('POST', `/api/flight-logs/${flight}/complete`, ends, flying) };
    });
    expect(await statusOf(waiting.answer)).toBe(401);
  });
});
