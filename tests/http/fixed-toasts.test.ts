import { beforeEach, expect, it } from 'vitest';
import { makeFlight, makeInvitation, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import { answerTo, cookieOf, formRequest } from '#tests/support/ask.ts';
import { storedRows } from '#tests/support/stored-rows.ts';

const { db } = await testDatabase();
let pilot: Member, cookie: string, aircraftId: number;
beforeEach(async () => {
  pilot = await makeUser(db, await makeSchool(db));
  cookie = await cookieOf(db, pilot);
  aircraftId = await makeAircraft(db, pilot.schoolId);
});

it('a failure of the database is said in the words of its page (B060, B094, B095, B138, B157, B210, B228, B229)', async () => {
  const admin = await makeUser(db, pilot.schoolId, 'administrator');
  const of = { [admin.id]: await cookieOf(db, admin), [pilot.id]: cookie };
  const { id: invitationId } = await makeInvitation(db, admin);
  const flight = await makeFlight(db, pilot, aircraftId);
  const other = await makeUser(db, pilot.schoolId);
  const free = String(await makeAircraft(db, pilot.schoolId));
  const stored = async () => {
    const { aircraft, invitations, mail_outbox: mails, schools, flight_logs: flights } = await storedRows(db);
    const users = await db.selectFrom('users').select(['id', 'deleted_at']).orderBy('id').execute();
    return { users, aircraft, invitations, mails, schools, flights };
  };
  const before = await stored();
  const school = { name: 'Skyhawk School', address: '2 Apron Lane', phone: '555 0199' };
  const start = { aircraftId: free, startHobbsTime: '1234.5', startTachTime: '987.6' };
  const end = { endHobbsTime: '101.2', endTachTime: '91.0' };
  const ben = { name: 'Ben', email: 'ben@mail.example', role: 'instructor' };
  const deletion = { intent: 'delete-invitation', invitationId: String(invitationId) };
  for (const [table, user, path, fields, text] of [
    ['sessions', pilot, '/login', { username: pilot.username, password: PASSWORD }, 'Login failed'],
    ['audit_entries', admin, '/flight-log?step=2', start, 'Failed to save flight log'],
    ['audit_entries', pilot, `/flight-log/${flight}/post-check`, end, 'Failed to complete flight'],
    [
      'audit_entries',
      admin,
      '/airplanes?index',
      { intent: 'set-maintenance', aircraftId: free },
      'Failed to update aircraft status',
    ],
    [
      'audit_entries',
      admin,
      '/airplanes?index',
      { intent: 'delete-aircraft', aircraftId: free },
      'Failed to delete aircraft',
    ],
    [
      'audit_entries',
      admin,
      '/users?index',
      { intent: 'delete-user', userId: String(other.id) },
      'Failed to delete user',
    ],
    ['audit_entries', admin, '/users/invitations', ben, 'Failed to send invitation'],
    ['audit_entries', admin, '/users/invitations', deletion, 'Failed to delete invitation'],
    ['audit_entries', admin, '/school-settings', school, 'Failed to update school settings'],
  ] as const) {
    await db.schema.alterTable(table).renameTo(`${table}_away`).execute();
    const answer = await answerTo(formRequest(path, fields, of[user.id])).finally(() =>
      db.schema.alterTable(`${table}_away`).renameTo(table).execute(),
    );
    const toast = { title: 'Error', text, tone: 'destructive' };
    expect([path, answer]).toMatchObject([path, { status: 500, body: { toast } }]);
    if (fields === school) expect(answer.body).toMatchObject({ result: { initialValue: school } });
  }
  expect(await stored()).toEqual(before);
});
