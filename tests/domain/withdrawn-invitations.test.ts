import { expect, it } from 'vitest';
import { acceptInvitation } from '#app/domain/invitations/accept-invitation.server.ts';
import { findPendingInvitations } from '#app/domain/invitations/queries.server.ts';
import { sendInvitation } from '#app/domain/invitations/change-invitation.server.ts';
import { changeUser, deleteUser } from '#app/domain/people/change-user.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const late = { username: 'late', password: 'long enough' };
const withdrawn = { code: 'notFound', message: 'Invalid or expired invitation' };

it('a deleted user’s pending invitations go, with their mails, and those of others and accepted ones stay (B417)', async () => {
  const schoolId = await makeSchool(db);
  const [admin, gone] = [await makeUser(db, schoolId, 'administrator'), await makeUser(db, schoolId, 'administrator')];
  const accepted = await makeInvitation(db, gone);
  const friend = await acceptInvitation(db, accepted.token, { username: 'friend', password: 'long enough' });
  const open = await makeInvitation(db, gone, { role: 'administrator' });
  const expired = await makeInvitation(db, gone, { expires_at: new Date(0) });
  const sent = { name: 'Ida', email: 'ida@invited.example', role: 'administrator' as const };
  const { id: mailedId } = await sendInvitation(db, gone, sent);
  const kept = await makeInvitation(db, admin);

  await deleteUser(db, admin, gone.id);

  expect((await findPendingInvitations(db, schoolId)).map(({ id }) => id)).toEqual([kept.id]);
  await expect(acceptInvitation(db, open.token, late)).rejects.toMatchObject(withdrawn);
  expect(
    await db.selectFrom('mail_outbox').select('id').where('subject', 'like', 'Your invitation%').execute(),
  ).toEqual([]);
  expect(await db.selectFrom('invitations').select('accepted_by').where('id', '=', accepted.id).execute()).toEqual([
    { accepted_by: friend.id },
  ]);
  const entries = db.selectFrom('audit_entries').select(['user_id', 'subject_id']);
  expect(await entries.where('action', '=', 'deleted invitation').orderBy('subject_id').execute()).toEqual(
    [open.id, expired.id, mailedId].map((id) => ({ user_id: admin.id, subject_id: id })),
  );
});

it('an administrator who gets another role loses the invitations they sent; a new name leaves them (B972)', async () => {
  const schoolId = await makeSchool(db);
  const [admin, other] = [await makeUser(db, schoolId, 'administrator'), await makeUser(db, schoolId, 'administrator')];
  const { id, token } = await makeInvitation(db, other, { role: 'administrator' });
  const kept = await makeInvitation(db, admin);
  const pending = async () =>
    (await findPendingInvitations(db, schoolId)).map((invitation) => invitation.id).toSorted();

  await changeUser(db, admin, other.id, { role: 'administrator', name: 'Other' });
  expect(await pending()).toEqual([id, kept.id].toSorted());

  await changeUser(db, admin, other.id, { role: 'instructor' });
  expect(await pending()).toEqual([kept.id]);
  await expect(acceptInvitation(db, token, late)).rejects.toMatchObject(withdrawn);
  const entries = db.selectFrom('audit_entries').select(['user_id', 'action']).where('school_id', '=', schoolId);
  expect(await entries.where('action', '=', 'deleted invitation').execute()).toEqual([
    { user_id: admin.id, action: 'deleted invitation' },
  ]);
});
