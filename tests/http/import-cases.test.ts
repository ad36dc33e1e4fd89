import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { uploadImport } from '#app/domain/imports/upload-import.server.ts';
import type { Answers } from '#app/domain/imports/reading/answers.ts';
import type { ImportKind } from '#app/domain/imports/records.ts';
import { testDatabase } from '#tests/support/database.ts';
import { DOORS } from '#tests/support/imports/doors.ts';
import { apply, undo } from '#tests/support/imports/files.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { takesAll } from '#tests/support/takes-all.ts';

const FOLDER = 'tests/fixtures/imports/cases';

interface Case {
  file: string;
  kind: ImportKind;
  isKindOpen?: true;
  /** Imported before it. */
  before?: string;
  /** Of each question that the file leaves open, some words. */
  asked?: string[];
  /** Without them, a file with questions comes in by no door. */
  answers?: Answers;
  /** New, changed, present, different, refused and skipped rows. */
  counts?: number[];
  /** Words of what else is said before it is written. */
  said?: string;
  /** What it adds to the school. */
  stored?: string[];
}

/** Files as schools and clubs have them, with names, tails and places made up. */
const CASES: Case[] = [
  {
    ...{ file: '01-next-file.csv', kind: 'flights', before: '01-first-file.csv', counts: [1, 0, 0, 0, 0, 0] },
    stored: [
      'G-AAAA 2025-06-10 09:00 10:00 10.0 11.0 10.0 11.0 Alex Rivera',
      'G-AAAA 2025-06-10 10:00 10:30 11.0 11.5 11.0 11.5 Alex Rivera',
      'G-AAAA 2025-06-10 10:30 11:30 11.5 12.5 11.5 12.5 Jean Dupont',
    ],
  },
  {
    ...{ file: '02-minutes.csv', kind: 'flights', counts: [2, 0, 0, 0, 0, 0] },
    stored: [
      'G-AAAA 2025-03-14 09:12 10:47 1234.5 1236.1 1000.0 1001.3 Alex Rivera',
      'G-AAAA 2025-04-02 17:05 17:23 1236.1 1236.4 1001.3 1001.6 Alex Rivera',
    ],
  },
  {
    ...{ file: '03-afternoon-times.csv', kind: 'flights', counts: [2, 0, 0, 0, 0, 0] },
    stored: [
      'G-AAAA 2025-05-01 13:45 14:45 10.0 11.0 10.0 11.0 Alex Rivera',
      'G-AAAA 2025-05-02 15:30 16:30 11.0 12.0 11.0 12.0 Alex Rivera',
    ],
  },
  {
    ...{ file: '04-order-of-day-and-month.csv', kind: 'flights', counts: [3, 0, 0, 0, 0, 0] },
    ...{ asked: ['Which day is 03/04/2025 (row 2)?'], answers: { dates: 'dmy' } },
    stored: [
      'G-AAAA 2025-04-03 09:00 10:00 10.0 11.0 10.0 11.0 Alex Rivera',
      'G-AAAA 2025-04-05 09:00 10:00 11.0 12.0 11.0 12.0 Alex Rivera',
      'G-AAAA 2025-04-08 09:00 10:00 12.0 13.0 12.0 13.0 Alex Rivera',
    ],
  },
  {
    ...{ file: '05-a-sheet-for-each-aircraft.xlsx', kind: 'flights', counts: [3, 0, 0, 0, 0, 0] },
    ...{ asked: ['The file has 2 tables of this kind.'], answers: { sheet: 'G-AAAB' } },
    said: "The table 'G-AAAA' (3 rows) is not read.",
    stored: [
      'G-AAAB 2025-05-01 09:00 10:00 501 502 401 402 Jean Dupont',
      'G-AAAB 2025-05-02 09:00 10:00 502 503 402 403 Jean Dupont',
      'G-AAAB 2025-05-03 09:00 10:00 503 504 403 404 Jean Dupont',
    ],
  },
  {
    ...{ file: '06-namesake.csv', kind: 'people', counts: [1, 0, 0, 0, 0, 0] },
    said: 'alex.rivera is taken: the username will be alex.second@example.org.',
    stored: ['Alex Rivera alex.second@example.org student'],
  },
  {
    ...{ file: '07-fleet-without-hyphens.csv', kind: 'fleet', counts: [0, 0, 2, 0, 0, 0] },
    said: 'GAAAA is G-AAAA, which is in the fleet.',
  },
  {
    ...{ file: '07-flights-without-hyphens.csv', kind: 'flights', counts: [1, 0, 0, 0, 0, 0] },
    stored: ['G-AAAA 2025-06-01 13:45 14:45 12.0 13.0 12.0 13.0 Alex Rivera'],
  },
  {
    ...{ file: '08-ground-simulator.csv', kind: 'flights', counts: [1, 0, 0, 0, 0, 0] },
    stored: ['G-AAAA 2025-05-12 08:15 09:50 100.0 101.6 90.0 91.3 Alex Rivera Karl Lehrer'],
  },
  {
    ...{ file: '09-hours-and-minutes.csv', kind: 'flights', counts: [1, 0, 0, 0, 0, 0], answers: { units: ['hmm'] } },
    asked: ["In which unit is 1234:30 (row 2) in 'Hobbs Start'?", "In which unit is 1000:10 (row 2) in 'Tach Start'?"],
    stored: ['G-AAAA 2025-04-13 09:00 10:12 1234.50 1235.70 1000.17 1001.08 Alex Rivera'],
  },
  {
    ...{ file: '10-log-without-meters.csv', kind: 'flights', isKindOpen: true },
    asked: ['These are flights without meter readings.'],
  },
  {
    ...{ file: '11-field-names.csv', kind: 'flights', counts: [2, 0, 0, 0, 0, 0] },
    stored: [
      'G-AAAA 2025-01-12 08:15 09:50 100.0 101.6 90.0 91.3 Alex Rivera Karl Lehrer',
      'G-AAAA 2025-02-03 14:00 15:45 101.6 103.4 91.3 92.8 Alex Rivera',
    ],
  },
  {
    ...{ file: '12-two-tables.csv', kind: 'fleet', counts: [0, 0, 2, 0, 0, 0] },
    said: "The table 'Flights Table' (2 rows) is not read.",
  },
  {
    ...{ file: '12-two-tables.csv', kind: 'flights', counts: [2, 0, 0, 0, 0, 0] },
    ...{ asked: ["No column names 'Pilot'."], answers: { values: { pilot: 'Alex Rivera' } } },
    said: "The table 'Aircraft Table' (2 rows) is not read.",
    stored: [
      'G-AAAA 2025-01-15 14:30 15:20 123.50 124.30 110.00 110.70 Alex Rivera',
      'G-AAAA 2025-01-17 10:00 11:00 124.30 125.30 110.70 111.50 Alex Rivera Karl Lehrer',
    ],
  },
  {
    ...{ file: '13-log-of-one-aircraft.csv', kind: 'flights', counts: [2, 0, 0, 0, 0, 0] },
    asked: ["No column names 'Aircraft'.", 'No column holds tach readings, and a flight has both.'],
    ...{ answers: { values: { aircraft: 'G-AAAA', tach: 'hobbs' } }, said: '(row 3) cannot be one.' },
    stored: [
      'G-AAAA 2025-05-01 08:00 09:36 100.0 101.6 100.0 101.6 Alex Rivera',
      'G-AAAA 2025-05-08 08:00 08:48 101.6 102.4 101.6 102.4 Jean Dupont',
    ],
  },
  {
    ...{ file: '14-central-european.csv', kind: 'people', counts: [3, 0, 0, 0, 0, 0] },
    stored: [
      'Jiří Čáp j@example.org student',
      'Łukasz Żak l@example.org student',
      'Zdeněk Růžek z@example.org student',
    ],
  },
  {
    ...{ file: '15-two-lines-of-headings.xlsx', kind: 'flights', counts: [3, 0, 0, 0, 0, 0] },
    stored: [
      'G-AAAA 2025-07-01 09:00 10:00 601 602 501 502 Jean Dupont',
      'G-AAAA 2025-07-02 09:00 10:00 602 603 502 503 Jean Dupont',
      'G-AAAA 2025-07-03 09:00 10:00 603 604 503 504 Jean Dupont',
    ],
  },
  {
    ...{ file: '17-ends-alone.csv', kind: 'flights', before: '01-first-file.csv', counts: [2, 0, 0, 0, 0, 0] },
    asked: ["'Closing Hobbs' has a reading at the end of the flight in row 2, and nothing says the one at its start."],
    ...{ answers: { values: { starts: 'before' } }, said: 'it is the one before at an end.' },
    stored: [
      'G-AAAA 2025-06-10 09:00 10:00 10.0 11.0 10.0 11.0 Alex Rivera',
      'G-AAAA 2025-06-10 10:00 10:30 11.0 11.5 11.0 11.5 Alex Rivera',
      'G-AAAA 2025-06-11 08:00 09:12 11.5 12.7 11.5 12.5 Alex Rivera',
      'G-AAAA 2025-06-12 08:00 09:12 12.7 13.9 12.5 13.6 Jean Dupont',
    ],
  },
  {
    ...{ file: '18-ends-and-hours.csv', kind: 'flights', counts: [2, 0, 0, 0, 0, 0] },
    stored: [
      'G-AAAA 2025-05-01 08:00 09:12 100.0 101.2 90.0 91.0 Alex Rivera',
      'G-AAAA 2025-05-02 08:00 09:12 101.2 102.4 91.0 92.1 Jean Dupont',
    ],
  },
  {
    ...{ file: '19-technical-log.csv', kind: 'flights', counts: [2, 0, 0, 0, 0, 0] },
    stored: [
      'G-AAAA 2025-05-01 09:05 10:17 101.2 102.4 91.0 92.05 Alex Rivera',
      'G-AAAA 2025-05-02 14:00 15:00 102.4 103.4 92.05 92.95 Jean Dupont Karl Lehrer',
    ],
  },
  {
    ...{ file: '16-members.csv', kind: 'people', counts: [5, 0, 0, 0, 0, 0] },
    asked: ["'Full Member' here (2 rows)?", "'Family Member' here (1 row)?", "'Life Member' here (1 row)?"],
    answers: { words: { role: { 'Full Member': 'student', 'Family Member': 'student', 'Life Member': 'student' } } },
    said: 'Carla Alt has no address, and comes as a former person',
    stored: [
      'Anna Muster anna.muster@example.org student',
      'Bernd Muster bernd.muster@example.org student',
      'Carla Alt student former',
      'Dieter Weg dieter@example.org student former',
      'Eva Neu eva@example.org student',
    ],
  },
];

/** By day each file comes by call, and one that has to be asked about by every door; a workbook takes a process each time. */
const isTried = ({ file, answers }: Case, door: string) =>
  takesAll || door === 'call' || (answers !== undefined && !file.endsWith('.xlsx'));

const TRIED = CASES.flatMap((each) =>
  Object.entries(DOORS).flatMap(([door, send]) => (isTried(each, door) ? [{ ...each, door, send }] : [])),
);

const { db, url } = await testDatabase();
const schoolId = await makeSchool(db, { time_zone: 'Europe/London' });
const admin = await makeUser(db, schoolId, 'administrator');
const cookie = await cookieOf(db, admin);
for (const kind of ['fleet', 'people'] as const) await importFile(`setup-${kind}.csv`, kind);
const [setUp] = await importsAfter(0);

async function importFile(name: string, kind: ImportKind): Promise<void> {
  const { id } = await uploadImport(
    db,
    { ...admin, member: admin },
    { content: readFileSync(`${FOLDER}/${name}`), name },
    kind,
  );
  expect(await apply(db, admin, id)).toMatchObject({ state: 'applied', failure: null });
}

function importsAfter(id: number) {
  return db.selectFrom('imports').select(['id', 'state']).where('id', '>', id).orderBy('id', 'desc').execute();
}

afterEach(async () => {
  for (const { id, state } of await importsAfter(setUp?.id ?? 0)) {
    if (state === 'applied') expect(await undo(db, admin, id)).toMatchObject({ state: 'undone', failure: null });
    await db.deleteFrom('imports').where('id', '=', id).execute();
  }
});

/** A line for each flight, and for each person and aircraft that the setup has not. */
async function storedLines(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', tail_number, to_char(flight.created_at at time zone 'Europe/London', 'YYYY-MM-DD HH24:MI'),
      to_char(flight.completed_at at time zone 'Europe/London', 'HH24:MI'), start_hobbs, end_hobbs, start_tach, end_tach,
      pilot.name, instructor.name) as line
    from flight_logs as flight join aircraft on aircraft.id = aircraft_id join users as pilot on pilot.id = flight.user_id
      left join users as instructor on instructor.id = instructor_id
    union all select concat_ws(' ', name, nullif(email, ''), role, case when deleted_at is not null then 'former' end) from users
      join import_rows on import_rows.user_id = users.id where import_id > ${setUp?.id}
    union all select tail_number from aircraft join import_rows on aircraft_id = aircraft.id
      where import_rows.before is null and import_rows.row_number is not null and import_id > ${setUp?.id}
    order by line`.execute(db);
  return rows.map(({ line }) => line);
}

it.each(TRIED)(
  'a file of a club comes in by the $door as it is meant: $file (B344, B348, B391, B392, B393, B1360)',
  async ({
    file,
    kind,
    isKindOpen = false,
    before,
    asked = [],
    answers,
    counts = [],
    said = '',
    stored = [],
    send,
  }) => {
    if (before) await importFile(before, kind);
    const sent = { file: `${FOLDER}/${file}`, kind, isKindOpen, cookie, url };
    const first = await send({ ...sent, answers: {} });
    expect(first.questions).toEqual(asked.map((words) => expect.stringContaining(words)));
    const done = answers ? await send({ ...sent, answers }) : first;
    expect(done.counts).toEqual(counts);
    expect(done.words).toContain(said);
    expect(await storedLines()).toEqual(stored);
  },
);
