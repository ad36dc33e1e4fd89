import { beforeEach, describe, expect, it } from 'vitest';
import { makePeople, makeSchool, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { answerTo, cookieOf, formRequest, getRequest, jsonRequest, pendingCookieOf } from '#tests/support/ask.ts';
import { nightly, takesAll } from '#tests/support/takes-all.ts';
import { generateRecoveryCodes } from '#app/domain/people/second-factor/second-factors.server.ts';
import { recorder } from '#app/server/event-recorder.server.ts';
import { bearerOf } from '#tests/support/access-tokens.ts';
import { askToSignIn, makePasskey } from '#tests/support/passkeys.ts';
import { makeSecondFactor } from '#tests/support/second-factor.ts';

const { db } = await testDatabase();

/** Past what one network may cause in a minute; all of it at night. */
const JUNK = takesAll ? 1000 : 70;
const ATTACKER = '203.0.113.9';

interface Planted {
  action: string;
  /** Who did it, or whom it concerned. */
  who: Member;
  requests: Request[];
}

let people: Record<'administrator' | 'instructor' | 'student', Member>, schoolId: number;
const refreshed = async () => {
  await db.deleteFrom('login_attempts').execute();
  recorder.clearBudgets();
  schoolId = await makeSchool(db);
  people = await makePeople(db, schoolId);
};
beforeEach(refreshed);

const send = (request: Request, address: string) => {
  request.headers.set('x-client-address', address);
  return answerTo(request);
};

/** Twenty attacks, each from an address of its own, or from the one of the flood. */
async function planted(): Promise<Planted[]> {
  const { administrator, instructor, student } = people;
  const others = await Promise.all(Array.from({ length: 5 }, () => makeUser(db, schoolId)));
  const guessed = await makeUser(db, schoolId);
  const withFactor = await makeUser(db, schoolId);
  await makeSecondFactor(db, withFactor);
  const [recoveryCode = '', code_hash = ''] = Object.values(generateRecoveryCodes()).map(([first = '']) => first);
  await db.insertInto('recovery_codes').values({ user_id: withFactor.id, code_hash }).execute();
  const withPasskey = await makeUser(db, schoolId);
  const authenticator = await makePasskey(db, withPasskey);
  const { options, cookie: asked } = await askToSignIn();
  const byStudent = await cookieOf(db, student);
  const byInstructor = await cookieOf(db, instructor);
  const byAdministrator = await cookieOf(db, administrator);
  const wrong = ({ username }: Member) => formRequest('/login', { username, password: 'not mine' });
  const code = async (typed: string) => formRequest('/login/code', { code: typed }, await pendingCookieOf(withFactor));
  const elsewhere = await makeUser(db, await makeSchool(db));
  const evil = formRequest('/school-settings', { name: 'Ours now' }, byAdministrator);
  evil.headers.set('origin', 'https://evil.example');
  const authorization = await bearerOf(db, student, 'read');
  const response = authenticator.get(options, { origin: 'https://evil.example' });
  const eve = { name: 'Eve', email: 'eve@x.example', role: 'administrator' };
  const promoting = (by: string) => jsonRequest('PATCH', `/api/users/${instructor.id}`, { role: 'administrator' }, by);
  const deleting = ({ id }: Member) => jsonRequest('DELETE', `/api/users/${id}`, undefined, byAdministrator);
  const signingIn = formRequest('/login', { username: instructor.username, password: PASSWORD });
  const acts: [string, Member, ...Request[]][] = [
    ...others.map((who): [string, Member, Request] => ['failed to sign in', who, wrong(who)]),
    ['failed to sign in', administrator, wrong(administrator)],
    ['locked out', guessed, ...Array.from({ length: 11 }, () => wrong(guessed))],
    ['failed to sign in', withFactor, await code('000000')],
    ['used recovery code', withFactor, await code(recoveryCode)],
    ['passkey refused', withPasskey, formRequest('/login/passkey', { response }, asked)],
    ['signed in on a new device', instructor, signingIn],
    ['refused request', student, getRequest('/activity', byStudent)],
    ['refused request', student, jsonRequest('POST', '/api/aircraft', {}, '', { authorization })],
    ['refused request', instructor, promoting(byInstructor)],
    ['refused unknown id', administrator, deleting(elsewhere)],
    ['refused request from another site', administrator, evil],
    ['sent invitation', administrator, jsonRequest('POST', '/api/invitations', eve, byAdministrator)],
    ['exported flight logs', administrator, getRequest('/api/flight-logs/export', byAdministrator)],
    ['changed user', instructor, promoting(byAdministrator)],
    ['deleted user', student, deleting(student)],
  ];
  return acts.map(([action, who, ...requests]) => ({ action, who, requests }));
}

const junk = {
  'posts of another site to addresses that are not there': (n: number) => {
    const request = formRequest(`/zz/${n}`, {});
    request.headers.set('origin', 'http://evil.example');
    return request;
  },
  'sign-ins as nobody': (n: number) => formRequest('/login', { username: `nobody-${n}`, password: 'not mine' }),
};

/** The attacks that no row of the activity names with who and where; every row says when. */
async function unnamed(attacks: (Planted & { address: string })[]): Promise<string[]> {
  await recorder.flush();
  const rows = await db.selectFrom('audit_entries').select(['action', 'user_id', 'subject_id', 'address']).execute();
  return attacks.flatMap(({ action, who, address }) => {
    const isNamed = rows.some(
      (row) =>
        row.action === action && row.address === address && (row.user_id === who.id || row.subject_id === who.id),
    );
    return isNamed ? [] : [`${action}: ${who.username} from ${address}`];
  });
}

async function attackAmid(flood: (n: number) => Request, addressOf: (n: number) => string, own: boolean) {
  const attacks = (await planted()).map((attack, n) => ({
    ...attack,
    address: own ? `198.51.100.${n + 1}` : addressOf(0),
  }));
  for (let n = 0; n < JUNK; n += 1) await send(flood(n), addressOf(n));
  for (const { requests, address } of attacks) for (const request of requests) await send(request, address);
  expect(attacks).toHaveLength(20);
  return unnamed(attacks);
}

describe('of twenty attacks amid a flood the activity names who, where and when', () => {
  it('each, where one network sends junk posts and the attacks, too (B1290)', async () => {
    const flood = junk['posts of another site to addresses that are not there'];
    expect(await attackAmid(flood, () => ATTACKER, false)).toEqual([]);
  });

  nightly.each(Object.entries(junk))('each, where one or a thousand networks send %s (B1290)', async (_, flood) => {
    expect(await attackAmid(flood, () => ATTACKER, true)).toEqual([]);
    await refreshed();
    expect(await attackAmid(flood, (n) => `10.${n >> 8}.${n & 255}.1`, true)).toEqual([]);
  });
});
