import { describe, expect, it } from 'vitest';
import { accessTokenTexts } from '#app/domain/people/access-tokens/schema.server.ts';
import { TOKEN_SCOPES } from '#app/domain/people/access-tokens/scopes.ts';
import { changeImport } from '#app/domain/imports/change-import.server.ts';
import { NO_OPTIONS } from '#app/domain/imports/options.server.ts';
import { requireImport } from '#app/domain/imports/queries.server.ts';
import { requestApply } from '#app/domain/imports/request-import.server.ts';
import { ruleOfOperation } from '#app/domain/power.ts';
import { findSessionUser } from '#app/server/session/session.server.ts';
import { texts } from '#app/domain/texts.ts';
import { type Answer, cookieOf, formRequest, getRequest, sessionCookieOf, toastAfter } from '#tests/support/ask.ts';
import { actionPaths, answerTo, pathOfRoute } from '#tests/support/routes.ts';
import { makeUser, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { documentAt, hiddenFieldsOf, takesAll, textOf } from '#tests/support/pages.ts';
import { drawn } from '#tests/support/drawn.ts';
import { outcomeOf, PausingDatabase } from '#tests/support/pausing-database.ts';
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
import { powerSearch, type Sender, senderOf, staleCookieOf } from '#tests/support/power-search.ts';

const { db, url } = await testDatabase();

/** Of each sender, by day. */
const ROWS_DRAWN = 12;
const PATHS_DRAWN = 6;

/** What each act comes to, one after another in one school. */
async function tryEach(acts: Act[], sender: Sender, check: (answer: Answer, name: string) => void) {
  const { administrator, ...targets } = await makeGuardedSchool(db);
  const send = await senderOf(db, administrator, sender);
  const before = await powerIn(db, targets.school);
  for (const act of acts) {
    check(await send(act.request(targets)), act.name);
    expect([act.name, powerGained(before, await powerIn(db, targets.school))]).toEqual([act.name, []]);
  }
  return targets;
}

it('each call that gives power is refused where the password is old, and each form asks for it (B366)', async () => {
  await tryEach(POWER_CALLS, 'stale session', ({ status, body }, name) => {
    expect([status, body], name).toEqual([403, expect.stringContaining(texts.proofNeeded)]);
  });
  await tryEach(POWER_FORMS, 'stale session', ({ status, headers }, name) => {
    expect([status, headers.get('location')], name).toEqual([
      303,
      expect.stringMatching(/^\/confirm-password\?to=%2F/),
    ]);
  });
});

it('each call that gives power is refused to a token that may manage, and no refused import is kept (B367)', async () => {
  const { school, importedFile } = await tryEach(POWER_CALLS, 'manage', ({ status, body }, name) => {
    expect([status, body], name).toEqual([403, expect.stringContaining(accessTokenTexts.passwordNeeded)]);
  });
  const imports = db.selectFrom('imports').select('id').where('school_id', '=', school);
  expect(await imports.execute()).toEqual([{ id: importedFile }]);
});

it('the work of the day is done without the password, by an old session and a token that may manage (B368)', async () => {
  for (const [sender, acts] of [
    ['stale session', DAILY_CALLS],
    ['stale session', DAILY_FORMS],
    ['manage', DAILY_CALLS],
  ] as const)
    await tryEach([...acts], sender, ({ status, headers, body }, name) => {
      expect(status, `${name}: ${String(body)}`).toBeLessThan(400);
      expect(headers.get('location') ?? '', name).not.toContain('confirm-password');
    });
});

/** Mails about these are those of a new administrator, of a removal, or of what the import itself then does. */
const MAILED = [...POWER_CALLS, ...POWER_FORMS];

it('each act by power, with the password, is in the activity and mailed to the administrators once an hour (B1293)', async () => {
  for (const act of drawn(MAILED, 8, 'mailed')) {
    const { administrator, ...targets } = await makeGuardedSchool(db);
    const colleague = await makeUser(db, targets.school, 'administrator');
    const cookie = await cookieOf(db, administrator);
    const request = act.request(targets);
    request.headers.set('cookie', cookie);
    const answer = await answerTo(request);
    expect([act.name, answer.status < 400], JSON.stringify(answer.body)).toEqual([act.name, true]);
    const mails = db
      .selectFrom('mail_outbox')
      .select(['subject', 'body_text as text'])
      .where('to_address', '=', colleague.email);
    const sent = (await mails.execute()).map(({ subject, text }) => `${subject}\n${text}`);
    // A raised role has a mail of its own, which names the new administrator.
    expect([act.name, sent.length > 0, sent.length < 3]).toEqual([act.name, true, true]);
    expect(sent.join(), act.name).toMatch(new RegExp(`${administrator.username}|The activity says by whom`));
    const entries = db.selectFrom('audit_entries').select('action').where('school_id', '=', targets.school);
    // An import may be answered while it is under way.
    const own = () => entries.where('user_id', '=', administrator.id).execute();
    await expect.poll(own, { message: act.name }).not.toEqual([]);
  }
});

it('a file that is said to hold administrators while its import is asked for takes the password (B1663)', async () => {
  const { administrator, importedFile: id, school } = await makeGuardedSchool(db);
  const session = await findSessionUser(db, getRequest('/', await staleCookieOf(db, administrator)));
  const member = { ...administrator, sessionId: session?.sessionId ?? '' };
  const options = { ...NO_OPTIONS, administrators: true };
  const pausing = new PausingDatabase(url);
  const ask = () => requestApply(pausing.db, { ...member, member }, id, options);
  const asFleet = () =>
    db
      .updateTable('imports')
      .set({ kind: 'fleet', requested: null, requested_at: null })
      .where('id', '=', id)
      .execute();
  await asFleet();
  const statements = await pausing.count(ask);
  for (let position = 1; position <= statements; position += 1) {
    await asFleet();
    let change: Promise<unknown> | undefined;
    const asking = pausing.count(ask, async (at) => {
      if (at !== position) return;
      change = changeImport(db, administrator, id, { kind: 'people', answers: {}, options }).catch(() => undefined);
      await outcomeOf(db, change);
    });
    await asking.catch((error: unknown) => expect(error).toMatchObject({ code: 'unproved' }));
    await change;
    const { kind, requested } = await requireImport(db, school, id);
    expect([position, kind === 'people' && requested]).not.toEqual([position, 'apply']);
  }
  await pausing.db.destroy();
});

it('an operation that the list of power does not name does not run (B366)', () => {
  expect([ruleOfOperation('delete user 7').proof, ruleOfOperation('add aircraft').proof]).toEqual(['always', 'never']);
  expect(() => ruleOfOperation('rename school 7')).toThrow("'rename school' is not listed");
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
    return { ...school, cookie: await staleCookieOf(db, school.administrator) };
  }

  it('goes on with an invitation of an administrator, which is then sent (B366)', async () => {
    const { cookie, school } = await staleSchool();
    const typed = { name: 'Carol Chief', email: 'carol@chief.example', role: 'administrator' };
    const asked = await answerTo(formRequest('/users/invitations', typed, cookie));
    const { answer, labels } = await confirm(asked, cookie, { passwordAgain: PASSWORD });
    expect([answer.status, labels]).toEqual([303, ['Current Password']]);
    expect(await toastAfter(answer)).toMatchObject({ title: 'Invitation sent' });
    const invited = db.selectFrom('invitations').select(['name', 'role']).where('email', '=', typed.email);
    const chief = { name: 'Carol Chief', role: 'administrator' };
    expect(await invited.where('school_id', '=', school).execute()).toEqual([chief]);
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
    const kept = { activity_kept_days: 90, administrators_need_second_factor: false };
    expect(await saved.where('id', '=', school).executeTakeFirst()).toEqual({ name: 'Cascade North', ...kept });
  });
});

describe('the generated search for power without the password', () => {
  const { forms, search, searchEach } = powerSearch(db);

  it('leaves out no route that changes something (B1292)', () => {
    const sent = forms.map(({ valid }) => valid('1')('')).filter(({ method }) => method === 'POST');
    const reads = ['/jump', '/account/data', '/calendar/:key'];
    const paths = actionPaths.filter((path) => !reads.includes(path));
    expect(new Set(sent.map((request) => pathOfRoute(request)))).toEqual(new Set(paths));
  });

  it.each(['stale session', ...TOKEN_SCOPES] as const)(
    'finds no request, nor three in a row, that give power, with what would give it, by %s (B369, B1292)',
    async (sender) => {
      expect(await searchEach(sender, (rows) => drawn(rows, ROWS_DRAWN, sender))).toEqual([]);
      expect(await search(sender, takesAll ? 100 : PATHS_DRAWN, 3), 'by three requests').toEqual([]);
    },
  );

  it('a token that may read or fly begins nothing of it (B369)', async () => {
    const { administrator, ...targets } = await makeGuardedSchool(db);
    for (const scope of ['read', 'fly'] as const) {
      const send = await senderOf(db, administrator, scope);
      for (const act of [...DAILY_CALLS, ...POWER_CALLS, ...EXPORTS])
        expect([scope, act.name, (await send(act.request(targets))).status]).toEqual([scope, act.name, 403]);
    }
  });
});
