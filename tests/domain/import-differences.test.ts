import { beforeEach, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { correctFlight } from '#app/domain/flights/correction/correct-flight.server.ts';
import { FLIGHT_FACTS } from '#app/domain/imports/plan/flight-facts.server.ts';
import { FIELDS } from '#app/domain/imports/reading/fields.ts';
import type { ImportKind } from '#app/domain/imports/records.ts';
import { previewImport } from '#app/domain/imports/upload-import.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { importFile } from '#tests/support/imports/files.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

let admin: Member;
let aircraftId: number;
let people: Record<'pat' | 'kim' | 'ivan' | 'ida', Member>;
beforeEach(async () => {
  const schoolId = await makeSchool(db, { time_zone: 'UTC' });
  admin = await makeUser(db, schoolId, 'administrator');
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N1' });
  const make = (role: 'student' | 'instructor', name: string) => makeUser(db, schoolId, role, `${name}${schoolId}`);
  people = {
    ...{ pat: await make('student', 'pat'), kim: await make('student', 'kim') },
    ...{ ivan: await make('instructor', 'ivan'), ida: await make('instructor', 'ida') },
  };
});

/** A row of our own file with all that it can say of a flight. */
const flightRow = () => ({
  id: 'F1',
  aircraft: 'N1',
  pilot: people.pat.username,
  instructor: people.ivan.username,
  started: '2026-05-01T10:00:00Z',
  completed: '2026-05-01T11:00:00Z',
  departed: '2026-05-01T10:05:00Z',
  landed: '2026-05-01T10:55:00Z',
  ...{ 'start Hobbs': '9999.5', 'end Hobbs': '0.4', 'start tach': '90.0', 'end tach': '91.0' },
  ...{ 'instructor in': '09:45', 'instructor out': '11:15', 'ground hours': '0.5' },
  ...{ 'Fuel (gal)': '12.5', 'oil quarts': '1.5', squawks: 'Tire worn' },
  ...{ 'reading flags': 'Hobbs gap 9999.0', 'meter changes': 'Hobbs replaced 9999.9 to 0.0' },
});
type Row = Record<string, string>;

const fileOf = (...rows: Row[]) => {
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  return { content: Buffer.from(lines.map((line) => line.join(',')).join('\n')), name: 'club.csv' };
};
const seen = (kind: ImportKind, ...rows: Row[]) => previewImport(db, admin, fileOf(...rows), kind);

const importRows = (kind: ImportKind, ...rows: Row[]) => importFile(db, admin, kind, fileOf(...rows));

/** What a row says otherwise: the column, and both values. */
async function differenceOf(kind: ImportKind, row: Row) {
  const { added, changed, present, refused, different, differences } = await seen(kind, row);
  expect({ added, changed, present, refused, different }, JSON.stringify(row)).toEqual({
    ...{ added: 0, changed: 0, present: 0, refused: 0, different: 1 },
  });
  return [differences[0]?.column, differences[0]?.message.replace(/^.* (?:is there|in row \d+): /, '')];
}

it('each value of a flight that a file has and the store has not is shown with both, by its column (B1640)', async () => {
  const row: Row = flightRow();
  expect(await importRows('flights', row)).toMatchObject({ state: 'applied', preview: { added: 1 } });
  expect(await seen('flights', row)).toMatchObject({ present: 1, different: 0 });
  const { pat, kim, ivan, ida } = people;
  const at = (clock: string) => `1 May 2026, ${clock} UTC`;
  const changed: [column: string, cell: string, words: string][] = [
    ['pilot', kim.username, `the pilot is ${pat.username} here, ${kim.username} in the file.`],
    ['instructor', ida.username, `the instructor is ${ivan.username} here, ${ida.username} in the file.`],
    ['started', '2026-05-01T10:02:00Z', `the start is ${at('10:00')} here, ${at('10:02')} in the file.`],
    ['completed', '2026-05-01T11:20:00Z', `the end is ${at('11:00')} here, ${at('11:20')} in the file.`],
    ['departed', '2026-05-01T10:10:00Z', `the departure is ${at('10:05')} here, ${at('10:10')} in the file.`],
    ['departed', row.started ?? '', `the departure is ${at('10:05')} here, at the start in the file.`],
    ['landed', '2026-05-01T10:50:00Z', `the landing is ${at('10:55')} here, ${at('10:50')} in the file.`],
    ['start Hobbs', '9999.4', 'Hobbs at the start is 9999.50 here, 9999.40 in the file.'],
    ['end Hobbs', '0.5', 'Hobbs at the end is 0.40 here, 0.50 in the file.'],
    ['start tach', '90.1', 'tach at the start is 90.00 here, 90.10 in the file.'],
    ['end tach', '91.1', 'tach at the end is 91.00 here, 91.10 in the file.'],
    ['instructor in', '09:40', "the instructor's time in is 09:45 here, 09:40 in the file."],
    ['instructor out', '11:20', "the instructor's time out is 11:15 here, 11:20 in the file."],
    ['ground hours', '0', 'ground school is 0.50 here, none in the file.'],
    ['Fuel (gal)', '13', 'the fuel is 12.5 here, 13 in the file.'],
    ['Fuel (gal)', 'no', 'refueled is yes here, no in the file.'],
    ['oil quarts', '2', 'oil is 1.50 here, 2.00 in the file.'],
    ['oil quarts', '0', 'oil is 1.50 here, none in the file.'],
    ['squawks', 'New tire', 'the squawk or note is Tire worn here, New tire in the file.'],
    [
      'reading flags',
      'Hobbs below 9999.0',
      'what is flagged is Hobbs start gap 9999.00 here, Hobbs start below 9999.00 in the file.',
    ],
    [
      'meter changes',
      'Hobbs replaced 9999.8 to 0.0',
      "the old Hobbs meter's last reading is 9999.90 here, 9999.80 in the file.",
    ],
    [
      'meter changes',
      'Hobbs replaced 9999.9 to 0.0 (Glass)',
      'the remark on the Hobbs meter is none here, Glass in the file.',
    ],
    [
      'meter changes',
      'Hobbs rolled over 9999.9 to 0.0',
      'the change of the Hobbs meter is replaced here, rolled over in the file.',
    ],
  ];
  for (const [column, cell, words] of changed)
    expect(await differenceOf('flights', { ...row, [column]: cell })).toEqual([column, words]);
  // Of each field that comes into the store there is one.
  const compared = new Set(Object.values(FLIGHT_FACTS).map(({ field }) => field));
  expect(new Set(changed.map(([column]) => column)).size).toBe(compared.size);
  expect(FIELDS.flights.map(({ name }) => name).filter((name) => !compared.has(name))).toEqual([
    ...['id', 'aircraft', 'status', 'cancelled', 'date', 'endDate', 'hours', 'hobbsHours', 'tachHours', 'fuelNotes'],
  ]);
});

it('what a file leaves empty, or says less exactly than the store, is no difference (B1640)', async () => {
  const row: Row = flightRow();
  await importRows('flights', { ...row, completed: '2026-05-01T11:00:40Z', squawks: "'=1+1 was in the logbook" });
  const { completed: _completed, started: _started, departed: _departed, landed: _landed, ...untimed } = row;
  const times = { started: '2026-05-01 10:00', completed: '2026-05-01 11:01' };
  const less: Row[] = [
    {
      ...row,
      squawks: '=1+1 was in the logbook',
      'oil quarts': '',
      'Fuel (gal)': '',
      id: '',
      landed: '',
      departed: '',
    },
    { ...row, ...times, squawks: '', instructor: '', 'instructor in': '', 'instructor out': '', 'ground hours': '' },
    { ...row, ...times, squawks: '', 'reading flags': '', 'start Hobbs': '9999.50' },
    { ...row, ...times, squawks: '', 'Fuel (gal)': '12.5 ' },
    { ...untimed, squawks: '', date: '2026-05-01' },
    { ...untimed, squawks: '', started: '2026-05-01 10:00', hours: '1.0' },
  ];
  for (const each of less)
    expect(await seen('flights', each), JSON.stringify(each)).toMatchObject({ present: 1, different: 0, refused: 0 });
});

it('what was corrected here is shown with both values when the file comes again, and stays (B1641)', async () => {
  const row: Row = { ...flightRow(), 'end Hobbs': '9999.9', 'reading flags': '', 'meter changes': '' };
  await importRows('flights', row);
  const flights = db.selectFrom('flight_logs').selectAll().where('school_id', '=', admin.schoolId);
  const { id } = await flights.executeTakeFirstOrThrow();
  await correctFlight(db, admin, id, {
    ...{ endTachTime: '90.9', instructorId: null, groundSchoolTime: '1', notes: 'New\ntire', reason: 'Misread' },
    fuelRecords: [
      { refueled: true, notes: 'Topped up' },
      { oilAdded: true, oilQuantity: 2 },
    ],
  });
  const corrected = await flights.execute();
  const again = await importRows('flights', row, { ...row, started: '2026-05-02T10:00:00Z' });
  expect(again).toMatchObject({ state: 'uploaded' });
  expect(await differenceOf('flights', row)).toEqual([
    'instructor',
    [
      `the instructor is nobody here, ${people.ivan.username} in the file`,
      'tach at the end is 90.90 here, 91.00 in the file',
      "the instructor's time in is none here, 09:45 in the file",
      "the instructor's time out is none here, 11:15 in the file",
      'ground school is 1.00 here, 0.50 in the file',
      'the squawk or note is New tire here, Tire worn in the file',
      'oil is 2.00 here, 1.50 in the file',
      'the fuel is Topped up here, 12.5 in the file.',
    ].join('; '),
  ]);
  expect(await flights.execute()).toEqual(corrected);
});

it('rows of squawks, aircraft, inspections and people that say otherwise are different, too (B1643)', async () => {
  const squawk = { aircraft: 'N1', text: 'Tire worn', reported: '2026-05-01T12:00:00Z' };
  const fixed = { ...squawk, author: people.pat.username, unsafe: 'yes', state: 'fixed', resolution: 'New tire' };
  await importRows('squawks', fixed);
  for (const same of [fixed, squawk, { ...squawk, state: 'fixed' }])
    expect(await seen('squawks', same)).toMatchObject({ present: 1, different: 0 });
  expect(await differenceOf('squawks', { ...fixed, author: people.kim.username, unsafe: 'no', state: 'open' })).toEqual(
    [
      'author',
      `who reported it is ${people.pat.username} here, ${people.kim.username} in the file; unsafe to fly is yes here, no in the file; the state is fixed here, open in the file.`,
    ],
  );
  expect(await differenceOf('squawks', { ...fixed, resolution: 'Patched' })).toEqual([
    'resolution',
    'the remark is New tire here, Patched in the file.',
  ]);

  const aircraft = { tail: 'N7', make: 'Piper', model: 'PA-28', year: '1999', status: 'maintenance', hobbs: '100.0' };
  await importRows('fleet', aircraft);
  expect(await seen('fleet', { ...aircraft, status: '', hobbs: '' })).toMatchObject({ present: 1, different: 0 });
  expect(await differenceOf('fleet', { ...aircraft, status: 'available', hobbs: '101' })).toEqual([
    'status',
    'maintenance is yes here, no in the file; the last Hobbs reading is 100.00 here, 101.00 in the file.',
  ]);
  expect(await seen('fleet', { ...aircraft, year: '1998', hobbs: '101' })).toMatchObject({
    ...{ changed: 1, different: 0 },
    remarks: [{ message: 'the last Hobbs reading of N7 is 100.00 here, 101.00 in the file, and stays.' }],
  });

  const inspection = { aircraft: 'N1', inspection: '100 h', 'due tach': '150.0', 'interval hours': '100' };
  await importRows('inspections', inspection);
  const { 'interval hours': _interval, ...due } = inspection;
  expect(await seen('inspections', due)).toMatchObject({ present: 1, changed: 0, different: 0 });
  expect(await seen('inspections', { ...due, 'due tach': '250' })).toMatchObject({
    changes: [{ message: 'N1: 100 h: due tach 150.0 → 250' }],
  });
  const { id } = await db
    .updateTable('inspections')
    .set({ due_tach: '250.0' })
    .where('aircraft_id', '=', aircraftId)
    .returning('id')
    .executeTakeFirstOrThrow();
  const done = {
    school_id: admin.schoolId,
    inspection_id: id,
    user_id: admin.id,
    done_at: '150.0',
    done_on: '2026-05-01',
  };
  await db.insertInto('inspection_completions').values(done).execute();
  expect(await differenceOf('inspections', inspection)).toEqual([
    'due tach',
    'due at tach is 250.00 here, 150.00 in the file.',
  ]);

  const { pat } = people;
  const person = { username: pat.username, email: pat.email, role: '', status: '' };
  expect(await seen('people', person)).toMatchObject({ present: 1, different: 0 });
  expect(await differenceOf('people', { ...person, status: 'Resigned' })).toEqual([
    'status',
    'the status is active here, former in the file.',
  ]);
});

it('a tail number is known by its letters and figures, whatever stands between them (B1675)', async () => {
  const aircraft = (tail: string) => ({ tail, make: 'Cessna', model: '172', year: '1999' });
  await importRows('fleet', aircraft('G-AAAB'));
  for (const tail of ['G\u2013AAAB', 'G\u2011AAAB', 'g.aaab', 'G/AAAB', 'G\u00a0AAAB'])
    expect([tail, await seen('fleet', aircraft(tail))]).toMatchObject([tail, { added: 0, present: 1 }]);
});

it('a name that somebody has and somebody who left had is nobody until the file says which (B1677)', async () => {
  const { pat } = people;
  const named = { name: 'Pat Doe', email: '', status: 'left' };
  await db.updateTable('users').set({ name: 'Pat Doe' }).where('id', '=', pat.id).execute();
  const flight = { ...flightRow(), pilot: 'Pat Doe' };
  expect(await seen('flights', flight)).toMatchObject({ added: 1, refused: 0 });
  const { remarks } = await seen('people', named);
  expect(remarks.at(-1)?.message).toBe(`${pat.username} is called so, too: this row is another person.`);
  await importRows('people', named);
  expect(await seen('flights', flight)).toMatchObject({
    ...{ added: 0, refused: 1 },
    problems: [{ message: 'A user is called Pat Doe, and so was one who left. Write the username instead.' }],
  });
  expect(await seen('flights', { ...flight, pilot: pat.username })).toMatchObject({ added: 1 });
});

it('a person of the name and address that somebody of another school has comes with a username of its own (B1677)', async () => {
  const person = { name: 'Sam Poe', email: 'sam@example.org' };
  for (const username of ['sam.poe', 'sam@example.org']) await makeUser(db, await makeSchool(db), 'student', username);
  expect((await importRows('people', person)).preview).toMatchObject({ added: 1, refused: 0 });
  const { username } = await db
    .selectFrom('users')
    .select('username')
    .where('school_id', '=', admin.schoolId)
    .where('email', '=', person.email)
    .executeTakeFirstOrThrow();
  expect(username).toBe(`sam.poe.${admin.schoolId}`);
});
