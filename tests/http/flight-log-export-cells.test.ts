import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { readSheet } from 'read-excel-file/node';
import { expect, it } from 'vitest';
import { completed, insert, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { call, cookieOf, getRequest } from '#tests/support/requests.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { findTailNumbersWithYears } from '#app/domain/aircraft/namesakes.server.ts';
import type { FlightFilter } from '#app/domain/flights/logbook/flight-filter.server.ts';
import { findFlightLogs } from '#app/domain/flights/queries.server.ts';
import { timeZones } from '#app/domain/school/schema.server.ts';
import { flightSheetColumns } from '#app/domain/flights/exported/export-flight-logs.server.ts';
import { loader as sheetLoader } from '#app/routes/api.flight-logs.export[.]xlsx/route.ts';
import { loader } from '#app/routes/api.flight-logs.export.ts';
import { csvOfDatabaseLines, toCsvLine } from '#app/server/csv.server.ts';
import { drawn } from '#tests/support/drawn.ts';
import { exportCells } from '#tests/support/export-cells.ts';

const { db } = await testDatabase();

/** Around the hours that clocks skip and repeat, in zones of every kind of offset. */
const ZONES = [
  ...['America/Los_Angeles', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/St_Johns', 'Europe/Dublin', 'UTC'],
];
const INSTANTS = [
  ...['2026-03-08T09:59:59.999Z', '2026-03-08T10:00:00Z', '2026-11-01T08:59:59.400Z', '2026-11-01T09:00:00.500Z'],
  ...['2026-04-04T15:00:00Z', '2026-10-25T00:59:59Z', '2026-12-31T23:59:59.999Z', '2024-02-29T23:30:00Z'],
];
const DURATIONS_S = [0, 0.4, 0.5, 179.4, 179.5, 180, 540, 1260, 3599, 86_400, 400_000.9];
const FORMULAS = ['=1+1', '-0.3', '-0.3.1', '-12', '+1', '@SUM(A1)', '\tx', '\rx'];
const TEXTS = [...FORMULAS, '"', 'a,b', 'two\nlines', 'é 🛩️', '\\.', ' ', ''];
const CLOCK_TIMES = [
  ['09:00', '10:55'],
  ['23:30', '01:10'],
  ['10:00', '10:00'],
  ['17:00', '16:00'],
  ['17:00', '09:00'],
  ['17:00', '09:01'],
  ['09:00', null],
] as const;

async function expectedFile(by: Member, filter: FlightFilter = {}): Promise<string> {
  const logs = await findFlightLogs(db, by.schoolId, { ...filter, timeZone: by.timeZone });
  const years = await findTailNumbersWithYears(db, by);
  const cells = logs.map((log) => exportCells(log, by.timeZone, years));
  const [names = []] = cells.map((row) => Object.keys(row));
  return `\uFEFF${toCsvLine(names)}${cells.map((row) => toCsvLine(Object.values(row))).join('')}`;
}

async function exportedFile(by: Member, filter: FlightFilter = {}): Promise<string> {
  const search = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
  const answer = await loader(call(getRequest(`/api/flight-logs/export?${search}`, await cookieOf(db, by))));
  return Buffer.from(await answer.arrayBuffer()).toString();
}

it.each(drawn(ZONES, 2, 'zones'))(
  'in %s the exported file is to the byte what the list shows, line by line (B763)',
  async (time_zone) => {
    const schoolId = await makeSchool(db, { time_zone });
    const admin = { ...(await makeUser(db, schoolId, 'administrator')), timeZone: time_zone };
    const flights = Math.max(INSTANTS.length, DURATIONS_S.length, TEXTS.length);
    for (let number = 0; number < flights; number += 1) await flyOddly(admin, number);
    await makeFlight(db, admin, await makeAircraft(db, admin.schoolId), { start_hobbs: '100', start_tach: '90.25' });
    expect(await exportedFile(admin)).toBe(await expectedFile(admin));
  },
);

it.each(drawn(ZONES.slice(1, 3), 1, 'zones'))(
  'in %s the spreadsheet has the values of the CSV file as dates, numbers and texts (B895)',
  async (zone) => {
    const schoolId = await makeSchool(db, { time_zone: zone });
    const admin = { ...(await makeUser(db, schoolId, 'administrator')), timeZone: zone };
    for (let number = 0; number < TEXTS.length; number += 1) await flyOddly(admin, number);
    const odd = 'a\u0001b _x0041_ <&> \\n é\r\nc';
    await makeFlight(db, admin, await makeAircraft(db, schoolId), { notes: odd });
    const answer = await sheetLoader(call(getRequest('/api/flight-logs/export.xlsx', await cookieOf(db, admin))));
    const sheet = await readSheet(Buffer.from(await answer.arrayBuffer()), { trim: false });
    const [names = [], ...rows] = parse(await exportedFile(admin), { bom: true, record_delimiter: '\r\n' });
    expect(sheet[0]).toEqual(names);
    expect(sheet.slice(1)).toHaveLength(rows.length);
    for (const [at, row] of rows.entries()) expect(sheet[at + 1]?.map(toSecond)).toEqual(row.map(valueInSheet));
    expect(sheet.flat()).toContain('a\u0001b _x0041_ <&> \\n é\r\nc'.replace('\u0001', ''));
    expect(sheet.flat()).toContain('=1+1');
  },
);

const kinds = flightSheetColumns().map(({ kind }) => kind);

/** The reader cuts fractions of a millisecond off. */
function toSecond<Value>(value: Value): Value | Date {
  return value instanceof Date ? new Date(Math.round(value.getTime() / 1000) * 1000) : value;
}

/** What a cell of the CSV file is in the sheet; a date has no zone there, and is the school's time. */
function valueInSheet(cell: string, column: number): string | number | Date | null {
  const kind = kinds[column];
  if (cell === '') return null;
  if (kind === 'text' || kind === 'long text') return cell.replace(/^'/, '').replace('\u0001', '');
  if (kind === 'time') return new Date(`${cell.slice(0, 19)}Z`);
  return kind === 'clock' ? new Date(`1899-12-30T${cell}:00Z`) : Number(cell);
}

it('the exported file has the rows that the list has under the same filter (B733)', async () => {
  const time_zone = 'America/Los_Angeles';
  const notes = [`it's "odd"`, String.raw`50% \ of a_b`, `$1 ''; drop table users; --`, 'left brake'];
  const schoolId = await makeSchool(db, { time_zone });
  const admin = { ...(await makeUser(db, schoolId, 'administrator')), timeZone: time_zone };
  const aircraftId = await makeAircraft(db, schoolId);
  for (const [index, note] of notes.entries()) {
    const flown = completed(`2026-05-1${index}T06:59:00Z`, `2026-05-1${index}T07:30:00Z`);
    await makeFlight(db, admin, aircraftId, { ...flown, notes: note, instructor_id: index % 2 ? admin.id : null });
  }
  await makeFlight(db, await makeUser(db, schoolId), await makeAircraft(db, schoolId));
  const filters: FlightFilter[] = [
    ...[`it's`, '"odd"', '50% a_b', '\\', '$1', `'';`, 'BRAKE left'].map((q) => ({ q })),
    ...[{ aircraftId }, { pilotId: admin.id, status: 'completed' as const }, { instructorId: admin.id }],
    ...[{ status: 'in_progress' as const }, { from: '2026-05-10', to: '2026-05-11' }],
  ];
  for (const filter of filters) {
    const expected = await expectedFile(admin, filter);
    expect(expected.split('\r\n').length, JSON.stringify(filter)).toBeGreaterThan(2);
    expect(await exportedFile(admin, filter), JSON.stringify(filter)).toBe(expected);
  }
});

nightly('Postgres knows every time zone that a school can have (B763)', async () => {
  const { rows } = await sql<{ name: string }>`select name from pg_timezone_names`.execute(db);
  const known = new Set(rows.map(({ name }) => name));
  expect(timeZones('UTC').filter((zone) => !known.has(zone))).toEqual([]);
});

it('lines are ended for spreadsheets wherever their chunks are cut, and quoted lines are left as typed (B764)', async () => {
  const lines = Buffer.from('a,"two\nlines ""quoted"""\n"\r\n",é\nlast\n');
  const expected = '\uFEFFa,"two\nlines ""quoted"""\r\n"\r\n",é\r\nlast\r\n';
  for (let size = 1; size <= lines.length; size += 1) {
    const pieces = Array.from({ length: Math.ceil(lines.length / size) }, (_, at) =>
      lines.subarray(at * size, (at + 1) * size),
    );
    const written: Uint8Array[] = [];
    for await (const chunk of csvOfDatabaseLines(streamOf(pieces))) written.push(chunk);
    expect(Buffer.concat(written).toString()).toBe(expected);
  }
});

async function* streamOf(chunks: Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}

/** A completed flight whose every value is one that could be written otherwise. */
async function flyOddly(by: Member, number: number): Promise<void> {
  const pick = <Value>(values: readonly Value[]) => values[number % values.length] as Value;
  const text = pick(TEXTS);
  const pilot = await makeUser(db, by.schoolId, 'student', `${text}pilot ${number} of ${by.schoolId}`);
  const aircraftId = await makeOddAircraft(by.schoolId, text, number);
  const startedAt = new Date(pick(INSTANTS));
  const endedAt = new Date(startedAt.getTime() + pick(DURATIONS_S) * 1000);
  const [timeIn, timeOut] = pick(CLOCK_TIMES);
  const isChanged = number % 4 === 0;
  const id = await makeFlight(db, pilot, aircraftId, {
    created_at: startedAt,
    completed_at: endedAt,
    completed_by: pilot.id,
    ...(number % 3 === 1 && { departed_at: new Date(startedAt.getTime() - number * 179_500) }),
    ...(number % 3 === 2 && { landed_at: new Date(endedAt.getTime() + number * 9_400) }),
    start_hobbs: '99998.9',
    start_tach: '90',
    end_hobbs: isChanged ? '1.15' : '100000.25',
    ...(isChanged && { hobbs_old_last: '99999.9', hobbs_new_first: '0.0' }),
    end_tach: pick(['91', '90.5', '90.07', '99.99']),
    ...(number % 3 && { instructor_id: by.id, instructor_time_in: timeIn, instructor_time_out: timeOut }),
    ground_school_time: pick(['0', '0.25', '3']),
    notes: text,
    reading_flags: JSON.stringify(
      [
        { at: 'start', meter: 'hobbs', kind: 'gap', last: '99.3', reading: '100.0' },
        { at: 'end', meter: 'tachometer', kind: 'other meter', last: '1', reading: '2' },
      ].slice(0, number % 3),
    ),
  });
  await addRecords(by, id, number);
}

/** Every other one is the removed namesake of the one before. */
async function makeOddAircraft(schoolId: number, text: string, number: number): Promise<number> {
  const names = { tail_number: `-N${Math.floor(number / 2)}`, make: `${text}C`, model: `${text}M` };
  if (number % 2 === 0) return makeAircraft(db, schoolId, names);
  const years = { created_at: new Date('2019-06-01T00:00:00Z'), deleted_at: new Date('2020-01-01T00:00:00Z') };
  return makeAircraft(db, schoolId, { ...names, ...years });
}

async function addRecords({ schoolId, id: userId }: Member, flightLogId: number, number: number): Promise<void> {
  const record = { school_id: schoolId, flight_log_id: flightLogId };
  const fuel = [
    { ...record, refueled: number % 2 === 0 },
    { ...record, oil_added: true, oil_quantity: '0.1' },
    { ...record, oil_added: true, oil_quantity: '0.2' },
  ];
  if (number % 4)
    await db
      .insertInto('fuel_records')
      .values(fuel.slice(0, number % 4))
      .execute();
  if (number % 5 === 0)
    await insert(db, 'flight_log_revisions', {
      ...record,
      user_id: userId,
      field: 'end_tach',
      old_value: '1',
      new_value: '2',
      reason: 'Misread',
    });
  if (number % 8 === 0)
    await db
      .updateTable('flight_logs')
      .set({ tach_old_last: '90.5', tach_new_first: '90.5' })
      .where('id', '=', flightLogId)
      .execute();
  if (number % 4 === 0)
    await sql`insert into meter_segments (school_id, aircraft_id, meter_type, reason, old_last, first_reading, declared_by, flight_log_id)
      select school_id, aircraft_id, 'hobbs', 'rolled over', hobbs_old_last, hobbs_new_first, user_id, id from flight_logs where id = ${flightLogId}`.execute(
      db,
    );
}
