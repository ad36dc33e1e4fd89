import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { NO_OPTIONS } from '#app/domain/imports/options.server.ts';
import { requestApply } from '#app/domain/imports/request-import.server.ts';
import { runRequestedWork } from '#app/domain/imports/run-import.server.ts';
import {
  changeInvitation,
  resendInvitation,
  sendInvitation,
} from '#app/domain/invitations/change-invitation.server.ts';
import { type OnLink, sendAndReturnLink } from '#app/domain/mail/queries.server.ts';
import { changeUser, deleteUser } from '#app/domain/people/change-user.server.ts';
import { passwordLinkJob, sendPasswordLink, setPassword } from '#app/domain/people/reset-password.server.ts';
import { makePasswordLinkFor } from '#app/domain/people/operator-passwords.server.ts';
import { signOutUser } from '#app/domain/people/end-sessions.server.ts';
import { consumePasswordLink, findPasswordLink } from '#app/domain/people/password-links.server.ts';
import { findInvitationByToken } from '#app/domain/invitations/queries.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { upload } from '#tests/support/imports/files.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { runDueJobs } from '#tests/support/jobs.ts';
import { outcomeOf, PausingDatabase } from '#tests/support/pausing-database.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db, url } = await testDatabase();
const pausing = new PausingDatabase(url);
afterAll(() => pausing.db.destroy());

let schoolId: number;
let boss: Member;
let admin: Member;
let anna: Member;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  boss = await makeUser(db, schoolId, 'administrator');
  admin = await makeUser(db, schoolId, 'administrator');
  anna = await makeUser(db, schoolId);
});

const ENDINGS: [string, () => Promise<object>][] = [
  ['deleted', () => deleteUser(db, boss, admin.id)],
  ['demoted by another', () => changeUser(db, boss, admin.id, { role: 'instructor' })],
  ['demoted by themselves', () => changeUser(db, admin, admin.id, { role: 'student' })],
];

it('a link that is used takes its mail along, and one that expires while its form is sent sets nothing (C38)', async () => {
  const links = db.selectFrom('mail_outbox').select('id').where('body_text', 'like', '%reset-password%');
  const mails = async () => (await links.execute()).length;
  const [before, used] = [await mails(), await linkFor(admin, anna)];
  expect(await mails()).toBe(before + 1);
  expect(await db.transaction().execute((trx) => consumePasswordLink(trx, used))).toBe(true);
  expect(await mails()).toBe(before);
  const late = await linkFor(admin, anna);
  await sql`update password_links set expires_at = now() - interval '1 second'`.execute(db);
  expect(await db.transaction().execute((trx) => consumePasswordLink(trx, late))).toBe(false);
});

describe('the links for a new password that an administrator made for others', () => {
  it.each(ENDINGS)('end with their mails once the administrator is %s (B977)', async (_, end) => {
    const shown = await linkFor(admin, anna);
    await end();
    expect(await findPasswordLink(db, shown)).toBeUndefined();
    const refusal = { code: 'notFound', message: 'Invalid or expired link' };
    await expect(setPassword(db, shown, 'a planted password')).rejects.toMatchObject(refusal);
    expect(await mailsTo(anna)).toEqual([]);
    const events = db.selectFrom('audit_entries').select(['subject', 'subject_id']).where('school_id', '=', schoolId);
    expect(await events.where('action', '=', 'deleted password link').execute()).toEqual([
      { subject: 'user', subject_id: anna.id },
    ]);
  });

  it('stay after another name, a sign-out or a promotion, and a former one does not come back with the role (B977)', async () => {
    const shown = await linkFor(admin, anna);
    await changeUser(db, boss, admin.id, { name: 'Other' });
    await signOutUser(db, boss, admin.id);
    expect(await findPasswordLink(db, shown)).toMatchObject({ userId: anna.id });
    await changeUser(db, boss, admin.id, { role: 'student' });
    await changeUser(db, boss, admin.id, { role: 'administrator' });
    expect(await findPasswordLink(db, shown)).toBeUndefined();
  });

  it('made anew by another administrator are that administrator’s (B977)', async () => {
    const first = await linkFor(admin, anna);
    const second = await linkFor(boss, anna);
    const ben = await makeUser(db, schoolId);
    await linkFor(boss, ben);
    const third = await linkFor(admin, ben);
    await changeUser(db, boss, admin.id, { role: 'student' });
    const found = await Promise.all([first, second, third].map((token) => findPasswordLink(db, token)));
    expect(found).toEqual([undefined, expect.objectContaining({ userId: anna.id }), undefined]);
  });

  it('leave alone links that the administrator, others and the operator have for themselves (B977)', async () => {
    const own = await linkFor(admin, admin);
    const [asked, onServer] = [await makeUser(db, schoolId), await makeUser(db, schoolId)];
    await db.insertInto('password_link_requests').values({ username_key: asked.username.toLowerCase() }).execute();
    await runDueJobs(db, passwordLinkJob(db));
    await makePasswordLinkFor(db, onServer.username);
    await changeUser(db, boss, admin.id, { role: 'student' });
    expect(await findPasswordLink(db, own)).toMatchObject({ userId: admin.id });
    const rows = db.selectFrom('password_links').select(['user_id', 'made_by']).where('school_id', '=', schoolId);
    expect(await rows.orderBy('user_id').execute()).toEqual([
      { user_id: admin.id, made_by: admin.id },
      { user_id: asked.id, made_by: null },
      { user_id: onServer.id, made_by: null },
    ]);
  });

  nightly('leave a used one, so that the form that used it is answered the same (B977)', async () => {
    const token = await linkFor(admin, anna);
    await setPassword(db, token, 'a new password', 'same-key');
    await changeUser(db, boss, admin.id, { role: 'student' });
    await expect(setPassword(db, token, 'a new password', 'same-key')).resolves.toEqual({});
  });

  nightly('of people that they imported end likewise, and those of the operator stay (B977)', async () => {
    await importPerson('otto', admin);
    await importPerson('pia', boss);
    await importPerson('rolf', null);
    const links = () =>
      db.selectFrom('password_links').select('made_by').where('school_id', '=', schoolId).orderBy('user_id').execute();
    expect(await links()).toEqual([admin.id, boss.id, null].map((made_by) => ({ made_by })));
    await deleteUser(db, boss, admin.id);
    expect(await links()).toEqual([boss.id, null].map((made_by) => ({ made_by })));
    const mails = db.selectFrom('mail_outbox').select('to_address').where('school_id', '=', schoolId);
    expect(await mails.where('subject', 'like', 'Your account%').orderBy('id').execute()).toEqual(
      ['pia', 'rolf'].map((name) => ({ to_address: `${name}@club.example` })),
    );
  });
});

describe('the invitations whose link an administrator was shown', () => {
  const WAYS: [string, (id: number, onLink: OnLink) => Promise<object>][] = [
    ['sent again', (id, onLink) => resendInvitation(db, admin, id, undefined, onLink)],
    ['changed', (id, onLink) => changeInvitation(db, admin, id, { role: 'administrator' }, undefined, onLink)],
  ];

  it.each(WAYS)('end with the role, too, where another had sent them and they were %s (B978)', async (_, send) => {
    const { id } = await makeInvitation(db, boss);
    const { link } = await sendAndReturnLink((onLink) => send(id, onLink));
    const kept = await makeInvitation(db, boss);
    await changeUser(db, boss, admin.id, { role: 'student' });
    expect(await findInvitationByToken(db, tokenOf(link))).toBeUndefined();
    expect(await findInvitationByToken(db, kept.token)).toMatchObject({ email: kept.email });
  });

  it('stay where the one who sent them again keeps the role, unless the one who invited loses it (B978)', async () => {
    const { id } = await makeInvitation(db, boss);
    await resendInvitation(db, admin, id);
    const { link } = await sendAndReturnLink((onLink) => resendInvitation(db, boss, id, undefined, onLink));
    await changeUser(db, boss, admin.id, { role: 'student' });
    expect(await findInvitationByToken(db, tokenOf(link))).toMatchObject({ role: 'instructor' });
    await changeUser(db, boss, admin.id, { role: 'administrator' });
    const again = await sendAndReturnLink((onLink) => resendInvitation(db, admin, id, undefined, onLink));
    await changeUser(db, admin, boss.id, { role: 'student' });
    expect(await findInvitationByToken(db, tokenOf(again.link))).toBeUndefined();
  });
});

describe('a demotion between two statements of whoever makes a link', () => {
  const MAKING: Record<string, (invitation: number, onLink: OnLink) => Promise<object>> = {
    'a password link': (_, onLink) => sendPasswordLink(pausing.db, admin, anna.id, undefined, onLink),
    'an invitation': (_, onLink) => {
      const fields = { name: 'Ida', email: 'ida@invited.example', role: 'administrator' as const };
      return sendInvitation(pausing.db, admin, fields, undefined, onLink);
    },
    'an invitation sent again': (id, onLink) => resendInvitation(pausing.db, admin, id, undefined, onLink),
    'a changed invitation': (id, onLink) => changeInvitation(pausing.db, admin, id, { name: 'Eve' }, undefined, onLink),
  };

  nightly.each(Object.entries(MAKING))('leaves no usable link: %s (B977, B978)', async (_, make) => {
    const { id } = await makeInvitation(db, boss);
    const statements = await pausing.count(() => make(id, () => {}));
    expect(statements).toBeGreaterThan(5);
    for (let position = 1; position <= statements; position += 1) {
      boss = await makeUser(db, schoolId, 'administrator');
      admin = await makeUser(db, schoolId, 'administrator');
      anna = await makeUser(db, schoolId);
      const invitation = await makeInvitation(db, boss);
      await db.deleteFrom('invitations').where('email', '=', 'ida@invited.example').execute();
      let link: string | undefined;
      let demotion: Promise<object> | undefined;
      const work = () => make(invitation.id, (made) => (link = made));
      const making = pausing.count(work, async (at) => {
        if (at !== position) return;
        demotion = changeUser(db, boss, admin.id, { role: 'student' });
        await outcomeOf(db, demotion);
      });
      await making.catch((error: unknown) => expect(error).toMatchObject({ code: 'forbidden' }));
      await demotion;
      if (link === undefined) continue;
      const where = `before statement ${position} of ${statements}`;
      expect(await findPasswordLink(db, tokenOf(link)), where).toBeUndefined();
      expect(await findInvitationByToken(db, tokenOf(link)), where).toBeUndefined();
    }
  });
});

/** By nobody of the school where no member does. */
async function importPerson(name: string, member: Member | null): Promise<void> {
  const { id } = await upload(db, boss, 'people', [`${name}${schoolId},,${name}@club.example,instructor`]);
  await requestApply(db, { member: member ?? boss }, id, { ...NO_OPTIONS, sendInvitations: true });
  if (!member) await db.updateTable('imports').set({ requested_by: null }).where('id', '=', id).execute();
  await runRequestedWork({ work: db, progress: db }, { id, schoolId });
}

async function linkFor(maker: Member, user: Member): Promise<string> {
  const { link } = await sendAndReturnLink((onLink) => sendPasswordLink(db, maker, user.id, undefined, onLink));
  return tokenOf(link);
}

function tokenOf(link: string | undefined): string {
  if (link === undefined) throw new Error('no link was made');
  return new URL(link).searchParams.get('token') ?? '';
}

function mailsTo({ email }: Member) {
  return db.selectFrom('mail_outbox').select('subject').where('to_address', '=', email).execute();
}
