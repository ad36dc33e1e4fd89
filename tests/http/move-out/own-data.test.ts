import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { OWN_DATA_QUERIES } from '#app/domain/people/own-data.server.ts';
import { loader } from '#app/routes/account_.data/route.ts';
import { bearerOf } from '#tests/support/access-tokens.ts';
import { readZip } from '#tests/support/archive/read-zip.ts';
import { makeFullSchool, PHOTO } from '#tests/support/archive/full-school.ts';
import { completed, insert, makeAircraft, makeFlight, makeUser, testDatabase } from '#tests/support/makers.ts';
import { call, cookieOf, getRequest } from '#tests/support/requests.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();
const admin = await makeFullSchool(db);
const pilot = await makeUser(db, admin.schoolId, 'student', 'pia');
const other = await makeUser(db, admin.schoolId, 'student', 'otto');
const plane = await makeAircraft(db, admin.schoolId);
const secret = 'a word of somebody else';
const own = await makeFlight(db, pilot, plane, {
  ...completed('2026-05-01T10:00Z', '2026-05-01T11:00Z'),
  notes: 'own note',
});
await makeFlight(db, other, plane, { ...completed('2026-05-02T10:00Z', '2026-05-02T11:00Z'), notes: secret });
await insert(db, 'fuel_records', {
  school_id: admin.schoolId,
  flight_log_id: own,
  oil_added: true,
  oil_quantity: '1.5',
});
const photo = { school_id: admin.schoolId, content: PHOTO, width: 2, height: 1 };
const [taken] = await db
  .insertInto('photos')
  .values([
    { ...photo, user_id: pilot.id },
    { ...photo, user_id: other.id },
  ])
  .returning('id')
  .execute();
for (const user of [pilot, other]) {
  const squawk = { school_id: admin.schoolId, aircraft_id: plane, user_id: user.id };
  await insert(db, 'squawks', { ...squawk, text: user === pilot ? 'own squawk' : secret });
  const body = JSON.stringify({ notes: user === pilot ? 'own draft' : secret });
  await db.insertInto('drafts').values({ user_id: user.id, form: 'check-out', body }).execute();
}
const entry = { school_id: admin.schoolId, user_id: admin.id, subject_id: pilot.id };
await insert(
  db,
  'audit_entries',
  { ...entry, action: 'changed user', subject: 'user', reason: secret, address: '203.0.113.9' }, // Of another thing that has the same number.
  { ...entry, action: 'changed aircraft status', subject: 'aircraft' },
);

/** Who else had to do with a flight, their words, and what only administrators see. */
const NOT_IN_OWN_DATA = [
  ...['change_id', 'completed_by', 'deferrals_over_at_start', 'entered_by', 'entry_reason', 'overdue_at_start'],
  ...['reading_flags', 'reminded_at', 'unsafe_at_start', 'voided_by'],
];

const fetched = async (cookie: string, headers = {}) => loader(call(getRequest('/account/data', cookie, headers)));

describe('one person takes their own data', () => {
  it('it has their profile, sessions, flights, photos, squawks, drafts and events, and no words of others (B854)', async () => {
    const answer = await fetched(await cookieOf(db, pilot));
    expect(answer.headers.get('content-type')).toBe('application/zip');
    const files = await readZip(new Uint8Array(await answer.arrayBuffer()));
    const list = (name: string) => JSON.parse(files[`${name}.json`] ?? '') as Record<string, unknown>[];
    expect(list('profile')).toMatchObject([{ username: 'pia', email: pilot.email, role: 'student' }]);
    expect(list('sessions').length).toBe(1);
    expect(list('flights')).toMatchObject([{ id: own, notes: 'own note', hobbs_hours: '1.20' }]);
    expect(list('fuel_and_oil')).toMatchObject([{ flight: own, refueled: false, oil_quarts: '1.5' }]);
    expect(list('squawks')).toMatchObject([{ text: 'own squawk' }]);
    expect(list('drafts')).toMatchObject([{ body: { notes: 'own draft' } }]);
    expect(list('events').map(({ action, by_yourself, address }) => ({ action, by_yourself, address }))).toEqual([
      { action: 'changed user', by_yourself: false, address: null },
      { action: 'exported own data', by_yourself: true, address: expect.toSatisfy(() => true) },
    ]);
    expect(Object.keys(files).filter((name) => name.startsWith('photos/'))).toEqual([`photos/${taken?.id}.jpg`]);
    const all = Object.values(files).join('\n');
    for (const word of [secret, '203.0.113.9', 'otto', 'argon2']) expect(all).not.toContain(word);
  });

  nightly('who has done nothing yet has nothing of anybody else in a full school (B854)', async () => {
    const newcomer = await makeUser(db, admin.schoolId, 'instructor', 'nina');
    const answer = await fetched(await cookieOf(db, newcomer));
    const files = await readZip(new Uint8Array(await answer.arrayBuffer()));
    const filled = Object.keys(files).filter((name) => files[name]?.trim() !== '[]');
    expect(filled).toEqual(['README.txt', 'profile.json', 'sessions.json', 'events.json']);
    expect(JSON.parse(files['events.json'] ?? '')).toMatchObject([{ action: 'exported own data' }]);
  });

  it('each column of a flight is in it or left out on purpose; nobody fetches it for somebody else (B854)', async () => {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = 'flight_logs'`.execute(db);
    const missing = rows.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(OWN_DATA_QUERIES.flights));
    expect(missing.map(({ name }) => name).toSorted()).toEqual(NOT_IN_OWN_DATA);
    expect((await fetched('')).status).toBe(401);
    const authorization = await bearerOf(db, pilot, 'manage');
    expect((await fetched('', { authorization })).status).toBe(401);
    const cookie = await cookieOf(db, admin);
    const answer = await loader(call(getRequest(`/account/data?user=${pilot.id}&id=${pilot.id}`, cookie)));
    const files = await readZip(new Uint8Array(await answer.arrayBuffer()));
    expect(files['profile.json']).toContain('"admin"');
    expect(Object.values(files).join('\n')).not.toContain('own note');
  });
});
