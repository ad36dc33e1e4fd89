import { beforeEach, expect, it } from 'vitest';
import { connect } from '#db/connect.server.ts';
import { cleanUp } from '#app/background/recurring-jobs.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { exportSchool } from '#app/domain/archive/export-school.server.ts';
import { acceptInvitation } from '#app/domain/invitations/accept-invitation.server.ts';
import { sendInvitation } from '#app/domain/invitations/change-invitation.server.ts';
import { addUser, changeUser, deleteUser } from '#app/domain/people/change-user.server.ts';
import { sendPasswordLink } from '#app/domain/people/reset-password.server.ts';
import { createSchool } from '#app/domain/school/create-school.server.ts';
import { bytesOf, readZip } from '#tests/support/archive/read-zip.ts';
import { DAY, SECOND, stopClock } from '#tests/support/clock.ts';
import { testDatabase } from '#tests/support/database.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { importLines, upload } from '#tests/support/imports/files.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { insert } from '#tests/support/rows.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { storedRows } from '#tests/support/stored-rows.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db, url } = await testDatabase();
const START = '2030-06-01T12:00:00.000Z';
const clock = await stopClock(url, START);

let schoolId: number;
let admin: Member;
beforeEach(async () => {
  await clock.set(START);
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
});

const add = (username: string, email: string) =>
  addUser(db, admin, { username, email, password: 'gull-9', role: 'student' });

async function insertSentMail(to_address: string, columns: { school_id: number; subject?: string; sent_at?: Date }) {
  const mail = { to_name: 'Gone', to_address, subject: 'Hello', body_text: '', body_html: '', sent_at: new Date() };
  await insert(db, 'mail_outbox', { ...mail, ...columns });
}

/** The events that keep this address. */
const keptOf = async (address: string) => {
  const kept = db.selectFrom('audit_emails').innerJoin('audit_entries', 'audit_entries.id', 'entry_id');
  return kept.select('subject_id').where('email', '=', address).execute();
};

/** The tables that have the address in any column. */
async function tablesWith(address: string): Promise<string[]> {
  const tables = Object.entries(await storedRows(db));
  const found = tables.filter(([, rows]) => rows.some((row) => row.toLowerCase().includes(address.toLowerCase())));
  return found.map(([name]) => name).toSorted();
}

it('30 days after an invited user was deleted no row has the address, and not a millisecond sooner (B446)', async () => {
  const address = 'Gone.Invited@school.example';
  const { token } = await makeInvitation(db, admin, { email: address });
  const { id } = await acceptInvitation(db, token, { username: 'gone-invited', password: 'gull-9' });
  await clock.pass(DAY);
  await deleteUser(db, admin, id);
  await clock.pass(30 * DAY - 1);
  await cleanUp(db);
  expect(await tablesWith(address)).toEqual(['audit_emails', 'invitations', 'users']);
  await clock.pass(1);
  await cleanUp(db);
  expect(await tablesWith(address)).toEqual([]);
});

nightly(
  'the address goes of founders and of the invited and mailed who never answered, not elsewhere (B446)',
  async () => {
    const address = 'gone.twice@school.example';
    await sendInvitation(db, admin, { name: 'Gone', email: address, role: 'student' });
    const { id } = await add('gone-twice', address);
    await insertSentMail(address, { school_id: schoolId });
    await deleteUser(db, admin, id);
    expect(await tablesWith(address)).toEqual(['audit_emails', 'invitations', 'mail_outbox', 'users']);

    const founder = { name: 'New', username: 'founder', email: 'founder@school.example', password: 'gull-9' };
    const founded = await createSchool(db, founder);
    const successor = await makeUser(db, founded.schoolId ?? 0, 'administrator');
    await deleteUser(db, successor, founded.userId);

    const email = 'two.schools@school.example';
    const kept = await addUser(db, successor, { username: 'kept', email, password: 'gull-9', role: 'student' });
    await deleteUser(db, admin, (await add('left-one', email)).id);

    await clock.pass(30 * DAY);
    await cleanUp(db);
    expect([await tablesWith(address), await tablesWith(founder.email)]).toEqual([[], []]);
    const left = await db.selectFrom('users').select('id').where('email', '=', email).execute();
    expect(left).toEqual([{ id: kept.id }]);
    expect(await tablesWith(email)).toEqual(['audit_emails', 'users']);
  },
);

nightly('an invitation that somebody else has accepted at a former address stays theirs (B446)', async () => {
  const address = 'handed.on@school.example';
  const { token, id: invitationId } = await makeInvitation(db, admin, { email: address });
  const { id: first } = await acceptInvitation(db, token, { username: 'first-owner', password: 'gull-9' });
  await db.updateTable('users').set({ email: 'moved.on@school.example' }).where('id', '=', first).execute();
  const { id: second } = await add('second-owner', address);
  await clock.pass(8 * DAY);
  await deleteUser(db, admin, second);
  await clock.pass(30 * DAY);
  await cleanUp(db);
  const left = db.selectFrom('invitations').select('accepted_by').where('id', '=', invitationId);
  expect(await left.executeTakeFirst()).toEqual({ accepted_by: first });
});

it('the name of a deleted user stays with the flights, and in the audit log all but the address (B446, C13)', async () => {
  const { id } = await add('gone-pilot', 'gone.pilot@school.example');
  const landed = completed('2030-05-12T08:00:00Z', '2030-05-12T09:00:00Z');
  await makeFlight(db, { ...admin, id }, await makeAircraft(db, schoolId), landed);
  await deleteUser(db, admin, id);
  await clock.pass(30 * DAY);
  await cleanUp(db);
  const user = await db.selectFrom('users').select(['username', 'email']).where('id', '=', id).executeTakeFirst();
  expect(user).toEqual({ username: 'gone-pilot', email: '' });
  const about = db.selectFrom('audit_entries').where('subject_id', '=', id).where('subject', '=', 'user');
  expect(await about.select(['action', 'before', 'after']).orderBy('id').execute()).toEqual([
    { action: 'added user', before: null, after: { username: 'gone-pilot', role: 'student' } },
    { action: 'deleted user', before: { id, username: 'gone-pilot', role: 'student' }, after: null },
  ]);
});

nightly('somebody who has the address now keeps it, and what was recorded about them (B446)', async () => {
  const address = 'back.again@school.example';
  await deleteUser(db, admin, (await add('left', address)).id);
  await clock.pass(DAY);
  const { id } = await add('back', address);
  await clock.pass(30 * DAY);
  await cleanUp(db);
  expect(await keptOf(address)).toEqual([{ subject_id: id }]);
  const user = await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst();
  expect(user?.email).toBe(address);
});

it('a former address of a deleted user goes from what was recorded of them, and stays with its new owner (B946)', async () => {
  const [first, second, last] = ['first@school.example', 'second@school.example', 'last@school.example'];
  const { token } = await makeInvitation(db, admin, { email: first });
  const { id } = await acceptInvitation(db, token, { username: 'moved', password: 'gull-9' });
  await changeUser(db, admin, id, { email: second });
  await changeUser(db, admin, id, { email: last });
  const taken = await add('taker', second);
  await clock.pass(DAY);
  await deleteUser(db, admin, id);
  await clock.pass(30 * DAY);
  await cleanUp(db);
  expect([await tablesWith(first), await tablesWith(last)]).toEqual([[], []]);
  expect(await keptOf(second)).toEqual([{ subject_id: taken.id }]);
});

nightly('the entry of the deletion loses the address, whatever the microseconds of the deletion (B946)', async () => {
  const addresses = Array.from({ length: 10 }, (_, n) => `micro-${n}@school.example`);
  for (const [n, address] of addresses.entries()) {
    const { id } = await add(`micro-${n}`, address);
    await clock.pass(SECOND);
    await clock.addMicroseconds(n * 100 + 50);
    await deleteUser(db, admin, id);
  }
  await clock.pass(30 * DAY + SECOND);
  await cleanUp(db);
  for (const address of addresses) expect(await tablesWith(address)).toEqual([]);
});

it('invitations to other addresses stay, as do mails from another school or from after the deletion (B446)', async () => {
  const address = 'gone.alone@school.example';
  const other = await makeUser(db, await makeSchool(db), 'administrator');
  const invited = await makeInvitation(db, admin, { email: 'never.came@school.example' });
  // Late, so that no mail is old when the address goes.
  const sent_at = new Date(Date.parse(START) + 20 * DAY);
  const mailFrom = (school_id: number, subject: string) => insertSentMail(address, { school_id, subject, sent_at });
  const { id } = await add('gone-alone', address);
  await mailFrom(schoolId, 'Own');
  await mailFrom(other.schoolId, 'From elsewhere');
  await clock.pass(DAY);
  await deleteUser(db, admin, id);
  await clock.pass(29 * DAY);
  await mailFrom(schoolId, 'To the next owner');
  await clock.pass(DAY);
  await cleanUp(db);
  const mails = await db.selectFrom('mail_outbox').select('subject').where('to_address', '=', address).execute();
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual(['From elsewhere', 'To the next owner']);
  const left = db.selectFrom('invitations').select('email').where('id', '=', invited.id);
  expect(await left.executeTakeFirst()).toEqual({ email: invited.email });
});

it('the address of an imported user goes from every table and from the archive, though no mail ever left (B980)', async () => {
  const [address, former] = ['gone.imported@school.example', 'before.imported@school.example'];
  await importLines(db, admin, 'people', [`gone-imported,Gone,${former},student`], { sendInvitations: true });
  // Rows that are refused for the address, of a file that is imported and of one that never is.
  const rows = [`other-name,Gone,${former},student`, 'new-name,New,new@school.example,student'];
  await importLines(db, admin, 'people', rows, { leaveOutRefused: true });
  await upload(db, admin, 'people', rows);
  const { id } = await db.selectFrom('users').select('id').where('email', '=', former).executeTakeFirstOrThrow();
  await sendPasswordLink(db, admin, id);
  await changeUser(db, admin, id, { email: address });
  await sendPasswordLink(db, admin, id);
  await deleteUser(db, admin, id);
  // The archive knows no tables behind those of the stopped clock.
  const plain = connect(`${url}${url.includes('?') ? '&' : '?'}options=-c%20search_path%3Dpublic`);
  const archived = async () => Object.values(await readZip(await bytesOf(exportSchool(plain, schoolId)))).join('\n');
  expect(await archived()).toContain(address);
  await clock.pass(30 * DAY);
  await cleanUp(db);
  for (const email of [address, former]) expect([email, await tablesWith(email)]).toEqual([email, []]);
  const archive = await archived();
  expect(archive).toContain('gone-imported');
  expect(archive).not.toMatch(/imported@school\.example/);
  await plain.destroy();
});
