import { describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { accessTokenTexts } from '#app/domain/people/access-tokens/access-token-texts.server.ts';
import { TOKEN_SCOPES, type TokenScope } from '#app/domain/people/access-tokens/scopes.ts';
import { proofOf } from '#app/domain/power.ts';
import { texts } from '#app/domain/texts.ts';
import { bearerOf } from '#tests/support/access-tokens.ts';
import { type Answer, sessionCookieOf, toastAfter } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAt, hiddenFieldsOf, textOf } from '#tests/support/documents.ts';
import { drawn } from '#tests/support/drawn.ts';
import { apiRows } from '#tests/support/matrix/api-rows.ts';
import type { MatrixRow } from '#tests/support/matrix/cells.ts';
import { matrixFixtures } from '#tests/support/matrix/fixtures.ts';
import { formRows } from '#tests/support/matrix/form-rows.ts';
import { furtherApiRows } from '#tests/support/matrix/further-api-rows.ts';
import { furtherFormRows } from '#tests/support/matrix/further-form-rows.ts';
import {
  type Act,
  DAILY_CALLS,
  DAILY_FORMS,
  EXPORTS,
  makeGuardedSchool,
  POWER_CALLS,
  POWER_FORMS,
  powerGained,
  powerIn,
} from '#tests/support/power.ts';
import { cookieOf, formRequest, getRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeUser, PASSWORD } from '#tests/support/school.ts';
import { makeSecondFactor } from '#tests/support/second-factor.ts';
import { ageProof } from '#tests/support/sessions.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();

type Sender = 'stale session' | TokenScope;

/** Of each sender. */
const PAIRS_DRAWN = 1;

/** Sends a request as somebody who does not know the administrator's password. */
async function senderOf(administrator: Member, sender: Sender): Promise<(request: Request) => Promise<Answer>> {
  const isSession = sender === 'stale session';
  const value = isSession ? await staleCookieOf(administrator) : await bearerOf(db, administrator, sender);
  return (request) => {
    request.headers.set(isSession ? 'cookie' : 'authorization', value);
    return answerTo(request);
  };
}

async function staleCookieOf(administrator: Member): Promise<string> {
  const cookie = await cookieOf(db, administrator);
  await ageProof(db, administrator, 16);
  return cookie;
}

/** What each act comes to, one after another in one school. */
async function tryEach(acts: Act[], sender: Sender, check: (answer: Answer, name: string) => void) {
  const { administrator, ...targets } = await makeGuardedSchool(db);
  const send = await senderOf(administrator, sender);
  const before = await powerIn(db, targets.school);
  for (const act of acts) {
    check(await send(act.request(targets)), act.name);
    expect([act.name, powerGained(before, await powerIn(db, targets.school))]).toEqual([act.name, []]);
  }
  return targets;
}

it('each call that gives power is refused in words where the password is old (B366)', async () => {
  await tryEach(POWER_CALLS, 'stale session', ({ status, body }, name) => {
    expect([status, body], name).toEqual([403, expect.stringContaining(texts.proofNeeded)]);
  });
});

it('each call that gives power is refused to a token that may manage, and no refused import is kept (B367)', async () => {
  const { school, importedFile } = await tryEach(POWER_CALLS, 'manage', ({ status, body }, name) => {
    expect([status, body], name).toEqual([403, expect.stringContaining(accessTokenTexts.passwordNeeded)]);
  });
  const imports = db.selectFrom('imports').select('id').where('school_id', '=', school);
  expect(await imports.execute()).toEqual([{ id: importedFile }]);
});

it('each form that gives power asks for the password where it is old (B366)', async () => {
  await tryEach(POWER_FORMS, 'stale session', ({ status, headers }, name) => {
    expect([status, headers.get('location')], name).toEqual([
      303,
      expect.stringMatching(/^\/confirm-password\?to=%2F/),
    ]);
  });
});

it.each([
  ['calls, by an old session', 'stale session', DAILY_CALLS],
  ['forms, by an old session', 'stale session', DAILY_FORMS],
  ['calls, by a token that may manage', 'manage', DAILY_CALLS],
] as const)('the work of the day is done without the password: %s (B368)', async (_, sender, acts) => {
  await tryEach([...acts], sender, ({ status, headers, body }, name) => {
    expect(status, `${name}: ${String(body)}`).toBeLessThan(400);
    expect(headers.get('location') ?? '', name).not.toContain('confirm-password');
  });
});

it('an operation that the list of power does not name does not run (B366)', () => {
  expect([proofOf('delete user 7'), proofOf('add aircraft')]).toEqual(['always', 'never']);
  expect(() => proofOf('rename school 7')).toThrow("'rename school' is not listed");
});

describe('the screen that asks for the password, without script', () => {
  /** Posts what the screen holds, with what is typed there. */
  async function confirm(asked: Answer, cookie: string, typed: Record<string, string>) {
    const page = await documentAt(asked.headers.get('location') ?? '', cookie);
    const labels = page.$('main form label').toArray();
    const fields = { ...hiddenFieldsOf(page), ...typed };
    const answer = await answerTo(formRequest(page.$('main form').attr('action') ?? '', fields, cookie));
    return { labels: labels.map((label) => textOf(page.$(label))), answer };
  }

  async function staleSchool() {
    const school = await makeGuardedSchool(db);
    return { ...school, cookie: await staleCookieOf(school.administrator) };
  }

  it('goes on with an invitation of an administrator, which is then sent (B366)', async () => {
    const { cookie, school } = await staleSchool();
    const typed = { name: 'Carol Chief', email: 'carol@chief.example', role: 'administrator' };
    const asked = await answerTo(formRequest('/users/invitations', typed, cookie));
    const { answer, labels } = await confirm(asked, cookie, { passwordAgain: PASSWORD });
    expect([answer.status, labels]).toEqual([303, ['Current Password']]);
    expect(await toastAfter(answer)).toMatchObject({ title: 'Invitation sent' });
    const invited = db.selectFrom('invitations').select(['name', 'role']).where('email', '=', 'carol@chief.example');
    expect(await invited.where('school_id', '=', school).execute()).toEqual([
      { name: 'Carol Chief', role: 'administrator' },
    ]);
  });

  it('keeps no password of a new administrator, and asks for it beside one’s own (B370)', async () => {
    const { cookie, school } = await staleSchool();
    const chief = { username: `chief-${school}`, email: 'chief@chief.example', role: 'administrator' };
    const asked = await answerTo(formRequest('/users/add', { ...chief, password: 'gull over marsh 9' }, cookie));
    const drafts = JSON.stringify(await db.selectFrom('drafts').selectAll().execute());
    expect([drafts.includes(chief.username), drafts.includes('gull over marsh')]).toEqual([true, false]);
    const typed = { passwordAgain: PASSWORD, password: 'gull over marsh 9' };
    const { answer, labels } = await confirm(asked, cookie, typed);
    expect(labels).toEqual(['Current Password', 'Password of the New User']);
    expect(await toastAfter(answer)).toMatchObject({ title: 'User added successfully' });
    const added = db.selectFrom('users').select('role').where('username', '=', chief.username);
    expect(await added.executeTakeFirst()).toEqual({ role: 'administrator' });
  });

  it('goes on with an import of administrators, whose file is still there (B366)', async () => {
    const { cookie, importedFile, school } = await staleSchool();
    const path = `/school-settings/import/${importedFile}`;
    const asked = await answerTo(formRequest(path, { intent: 'apply' }, cookie));
    const { answer } = await confirm(asked, cookie, { passwordAgain: PASSWORD });
    expect(answer.headers.get('location')).toBe(path);
    const imported = db.selectFrom('users').select('role').where('username', '=', `import-chief-${school}`);
    expect(await imported.executeTakeFirst()).toEqual({ role: 'administrator' });
    expect((await answerTo(getRequest(path, sessionCookieOf(answer)))).status).toBe(200);
  });

  it('goes on with settings that protect less, and asks again for none of the other fields (B366)', async () => {
    const { cookie, school } = await staleSchool();
    const settings = { name: 'Cascade North', address: '1 Field Road', phone: '555 0100', activityKeptDays: '90' };
    const asked = await answerTo(formRequest('/school-settings', settings, cookie));
    const { answer } = await confirm(asked, cookie, { passwordAgain: PASSWORD });
    expect(answer.headers.get('location')).toBe('/school-settings');
    const saved = db.selectFrom('schools').select(['name', 'activity_kept_days', 'administrators_need_second_factor']);
    expect(await saved.where('id', '=', school).executeTakeFirst()).toEqual({
      name: 'Cascade North',
      activity_kept_days: 90,
      administrators_need_second_factor: false,
    });
  });
});

describe('without the password', () => {
  const fixtures = matrixFixtures(db);
  const calls = [...apiRows(fixtures), ...furtherApiRows(db, fixtures)];
  const forms = [...formRows(fixtures), ...furtherFormRows(db, fixtures)];

  nightly.each(['stale session', ...TOKEN_SCOPES] as const)(
    'no request gives power by itself, by %s (B369)',
    async (sender) => {
      const { school } = await makeGuardedSchool(db);
      const rows = (sender === 'stale session' ? [...calls, ...forms] : calls).filter((row) => isTried(row, sender));
      for (const row of rows) {
        const administrator = await makeUser(db, school, 'administrator');
        await makeSecondFactor(db, administrator);
        const id = row.id ? String(await row.id.own(administrator)) : '';
        const send = await senderOf(administrator, sender);
        const request = row.valid(id)('');
        if ((await request.clone().text()).includes(PASSWORD)) continue;
        const before = await powerIn(db, school);
        await send(request);
        expect([row.name, powerGained(before, await powerIn(db, school))]).toEqual([row.name, []]);
      }
    },
  );

  for (const sender of ['stale session', 'manage'] as const) {
    const isSession = sender === 'stale session';
    const daily = isSession ? [...DAILY_CALLS, ...DAILY_FORMS] : DAILY_CALLS;
    // What a token may export stands in its label.
    const power = isSession ? [...POWER_CALLS, ...POWER_FORMS, ...EXPORTS] : POWER_CALLS;
    const pairs = daily.flatMap((first) => daily.map((second) => [first, second] as const));
    for (const pair of drawn(pairs, PAIRS_DRAWN, sender)) {
      it(`nothing gives power after ${pair[0].name}, by ${sender} (B369)`, async () => {
        const { administrator, ...targets } = await makeGuardedSchool(db);
        const send = await senderOf(administrator, sender);
        const before = await powerIn(db, targets.school);
        for (const act of pair) await send(act.request(targets));
        const latest = { ...targets, ...(await latestOf(targets.school)) };
        for (const act of power) {
          await send(act.request(latest));
          const names = [...pair, act].map(({ name }) => name);
          expect([names, powerGained(before, await powerIn(db, targets.school))]).toEqual([names, []]);
        }
      });
    }
  }

  it('a token that may read or fly begins nothing of it (B369)', async () => {
    const { administrator, ...targets } = await makeGuardedSchool(db);
    for (const scope of ['read', 'fly'] as const) {
      const send = await senderOf(administrator, scope);
      for (const act of [...DAILY_CALLS, ...POWER_CALLS, ...EXPORTS])
        expect([scope, act.name, (await send(act.request(targets))).status]).toEqual([scope, act.name, 403]);
    }
  });
});

/** Signing in and out, links that came by mail, and reading photos, which takes long, are tried elsewhere. */
function isTried({ name }: MatrixRow, sender: Sender): boolean {
  if (sender === 'manage' && name.endsWith('/api/export')) return false;
  if (name.startsWith('GET ') && !name.includes('export')) return false;
  return !/\/(logout|login|auth|reset-password|ocr|analyze-image)\b| read-(hobbs|tach)/.test(name);
}

/** What the acts before have made. */
async function latestOf(schoolId: number) {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('role', '<>', 'administrator')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const invitation = await db
    .selectFrom('invitations')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('role', '<>', 'administrator')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return { user: user.id, invitation: invitation.id };
}
