import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { findFaults } from '#db/doctor/find-faults.ts';
import type { Member } from '#app/domain/actor.ts';
import { exportSchool } from '#app/domain/archive/export-school.server.ts';
import { mailNewlyOverdue } from '#app/domain/inspections/mail-overdue.server.ts';
import { removeDeletedEmails } from '#app/domain/people/remove-deleted-emails.server.ts';
import { mailCheckInReminders } from '#app/domain/times/mail-reminders.server.ts';
import { archiveProofQueue, importReaderQueue } from '#app/domain/turns/queues.server.ts';
import {
  MAX_IMPORT_FORM_BYTES,
  MAX_OVERDUE_MAILED_AT_ONCE,
  MAX_PENDING_IMPORT_FILES_OF_SCHOOL,
  MAX_REMOVED_EMAILS,
  MAX_UPLOADED_PEOPLE,
  SEAL_LOOKBACK_ENTRIES,
} from '#app/limits.ts';
import { findUploadLimitBytes } from '#app/routes/school-settings_.import._index/imports-page.server.ts';
import { makeFullSchool } from '#tests/support/archive/full-school.ts';
import { bytesOf, readZip, rowsIn } from '#tests/support/archive/read-zip.ts';
import { type Files, zipped } from '#tests/support/archive/zips.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAt, textOf } from '#tests/support/documents.ts';
import { type Fields, multipart } from '#tests/support/imports/files.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { nightly, takesAll } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();

type Row = Record<string, unknown>;

let exported: Files;
beforeAll(async () => {
  const { schoolId } = await makeFullSchool(db);
  exported = await readZip(await bytesOf(exportSchool(db, schoolId)));
});

let admin: Member;
let cookie: string;
beforeEach(newSchool);

async function newSchool() {
  admin = await makeUser(db, await makeSchool(db), 'administrator');
  cookie = await cookieOf(db, admin);
}

const post = (path: string, fields: Fields) =>
  answerTo(multipart(path, { requestId: randomUUID(), ...fields }, cookie));

async function upload(files: Files): Promise<{ status: number; location: string; says: string }> {
  const fields = { file: await zipped(files), fileName: 'everything.zip' };
  const { status, headers, body } = await post('/school-settings/import?index', fields);
  return { status, location: String(headers.get('location')), says: JSON.stringify(body) };
}

/** What the import's page says, once the file has moved in or failed to. */
async function movedIn(files: Files): Promise<string> {
  const { status, location } = await upload(files);
  expect(status).toBe(303);
  await post(location, { intent: 'answer', 'answers.person': 'nobody' });
  await post(location, { intent: 'apply' });
  let text = '';
  await expect
    .poll(async () => (text = textOf((await documentAt(location, cookie)).$('main'))), { timeout: 60_000 })
    .not.toContain('Being imported');
  return text;
}

interface Forgery {
  files?: Files;
  manifest?: (manifest: Manifest) => object;
}

interface Manifest {
  tables: Record<string, { rows: number; columns: string[] }>;
  school: { id: number; name: string };
  files: { name: string }[];
}

/** An export of the exported school's settings and these rows, or lines, whose manifest fits them. */
function forged(rows: Record<string, Row[] | string>, { files = {}, manifest = () => ({}) }: Forgery = {}): Files {
  const listed = JSON.parse(String(exported['manifest.json'])) as Manifest;
  const all: Record<string, Row[] | string> = { schools: [one('schools')], users: [person(1)], ...rows };
  const made: Files = { ...files };
  for (const [table, described] of Object.entries(listed.tables)) {
    const lines = all[table] ?? [];
    const text = typeof lines === 'string' ? lines : lines.map((row) => `${JSON.stringify(row)}\n`).join('');
    made[`tables/${table}.jsonl`] = text;
    described.rows = text.split('\n').length - 1;
  }
  const fitting = Object.entries(made).map(([name, content]) => {
    const bytes = Buffer.from(content, name.endsWith('.jpg') ? 'latin1' : 'utf8');
    return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
  const whole = { ...listed, photos: 0, files: fitting };
  made['manifest.json'] = JSON.stringify({ ...whole, ...manifest(whole) });
  return made;
}

const one = (table: string): Row => rowsIn(exported, table)[0] ?? {};

function person(id: number, more: Row = {}): Row {
  const username = `p-${randomUUID()}`;
  const email = `${username}@club.example`;
  return { ...one('users'), id, username, username_key: username, email, name: null, deleted_at: null, ...more };
}

function plane(id: number, more: Row = {}): Row {
  return { ...one('aircraft'), id, tail_number: `N${id}`, last_hobbs_by: null, last_tach_by: null, ...more };
}

const event = (id: number, more: Row = {}): Row => ({
  ...one('audit_entries'),
  ...{ id, user_id: null, action: 'signed in', subject: 'user', subject_id: null, before: null, after: null },
  ...{ email_digest: null, reason: null, ...more },
});

/** A flight of the person and the aircraft 1 that is open. */
function flight(id: number, more: Row = {}): Row {
  const names = Object.keys(one('flight_logs')).filter(
    (name) => !/^(school_id|start_\w+(?<!photo_id)|ground_\w+|notes)$/.test(name),
  );
  const nothing = Object.fromEntries(names.map((name) => [name, null]));
  const lists = { reading_flags: [], unsafe_at_start: [], overdue_at_start: [], deferrals_over_at_start: [] };
  const known = { id, aircraft_id: 1, user_id: 1, created_at: '2026-11-01T00:00:00Z' };
  return { ...one('flight_logs'), ...nothing, ...lists, ...known, ...more };
}

/** Each file moves in for itself. */
const BY_DAY = new Set(['an event of another school', 'no columns', 'two addresses']);

const lastSquawkId = async () =>
  Number((await sql<{ id: string }>`select last_value as id from squawks_id_seq`.execute(db)).rows[0]?.id);

describe('a file that was made to harm', () => {
  it('is refused with 400 where what is shown of it cannot be read, or stored, or is there twice (B1444, B1550)', async () => {
    const crowd = Array.from({ length: MAX_UPLOADED_PEOPLE + 1 }, (_, at) => person(at + 1));
    const twice = ({ files }: Manifest) => ({ files: [...files, files[0]] });
    const bad: [string, Files, RegExp][] = [
      ['people who are no JSON', forged({ users: 'nonsense\n' }), /cannot be read/],
      ['a person whose id is text', forged({ users: [person(1, { id: 'x' })] }), /cannot be read/],
      ['a name with a zero byte', forged({ users: [person(1, { name: 'a\0' })] }), /cannot be stored/],
      ['half a character', forged({ users: [person(1, { username: '\ud800' })] }), /cannot be stored/],
      ['two people of one id', forged({ users: [person(1), person(1)] }), /two rows of users with the id 1/],
      ['two aircraft of one id', forged({ aircraft: [plane(2), plane(2)] }), /two rows of aircraft with the id 2/],
      ['a long name', forged({ users: [person(1, { username: 'x'.repeat(2000) })] }), /cannot be read/],
      ['the school', forged({}, { manifest: ({ school }) => ({ school: { ...school, name: '\0' } }) }), /manifest/],
      [
        'a file that inflates too far',
        forged({}, { files: { zeros: '0'.repeat(11 * 1024 * 1024) } }),
        /inflates too far/,
      ],
      ['a name without end', forged({}, { files: { ['x'.repeat(1025)]: '' } }), /name or comment is too long/],
      ['a file that is to be read twice', forged({}, { manifest: twice }), /not those that/],
      ['too many people', forged({ users: crowd }), /More than 5,000 people/],
    ];
    for (const [what, files, words] of bad) {
      const { status, says } = await upload(files);
      expect([what, status, says]).toEqual([what, 400, expect.stringMatching(words)]);
    }
  });

  it('is refused where it has what harms other schools, and nothing of it is there (B1444)', async () => {
    const fleet = { users: [person(1)], aircraft: [plane(1)] };
    const due = { ...one('inspections'), id: 1, aircraft_id: 1, due_hobbs: null, due_tach: null, removed_at: null };
    const byHours = { due_on: null, due_hobbs: '10.0', interval_days: null, interval_months: null };
    const endless = { ...due, ...byHours, interval_hours: 'NaN' };
    const elsewhere = event(1, { subject: 'school', subject_id: 9 });
    const large = { 'photos/1.jpg': `\xff\xd8${randomBytes(21 * 1024 * 1024).toString('latin1')}` };
    const without = ({ tables }: Manifest) => ({ tables: { ...tables, schools: { rows: 1, columns: ['id'] } } });
    const pending = { accepted_at: null, accepted_by: null, former_user_id: null, invited_by: 1 };
    const invited = { ...pending, email: 'a@b.example, c@d.example' };
    const many = Array.from({ length: SEAL_LOOKBACK_ENTRIES + 50 }, (_, at) => event(at + 1));
    const end = event(many.length + 1);
    const unsealed = { audit_entries: [...many, end], audit_seals: [await sealOf(end)] };
    const bad: [string, Files, RegExp][] = [
      ['no time', forged({ ...fleet, flight_logs: [flight(1, { created_at: '-infinity' })] }), /created_at is no time/],
      ['a last moment', forged({ users: [person(1), person(2, { deleted_at: '294276-12-31T23:59:59Z' })] }), /no time/],
      ['a day before Christ', forged({ ...fleet, inspections: [{ ...due, due_on: '0044-03-15 BC' }] }), /no time/],
      ['an event of another school', forged({ audit_entries: [elsewhere] }), /no such row/],
      ['an interval that is no number', forged({ ...fleet, inspections: [endless] }), /interval_hours is no number/],
      [
        'a preview that is none',
        forged({ imports: [{ ...one('imports'), user_id: 1, preview: 5 }] }),
        /cannot be read/,
      ],
      ['no columns', forged({}, { manifest: without }), /without columns/],
      ['a long reason', forged({ aircraft: [plane(1, { year: 'x'.repeat(100_000) })] }), /x{200,300}\./],
      ['two addresses', forged({ invitations: [{ ...one('invitations'), ...invited }] }), /valid email/],
      ['a large photo', forged({ photos: [{ ...one('photos'), id: 1, user_id: 1 }] }, { files: large }), /is larger/],
      ['old events that nobody sealed', forged(unsealed), /never sealed/],
    ];
    for (const [what, files, words] of bad.filter(([each]) => takesAll || BY_DAY.has(each))) {
      await newSchool();
      expect([what, await movedIn(files)]).toEqual([what, expect.stringMatching(words)]);
      const rows = await db.selectFrom('users').select('id').where('school_id', '=', admin.schoolId).execute();
      expect([what, rows]).toEqual([what, [{ id: admin.id }]]);
    }
  });

  /** The only seal of a chain: of its first event, whatever came before it. */
  async function sealOf(sealed: Row): Promise<Row> {
    const columns = ['id', 'school_id', 'user_id', 'created_at', 'action', 'subject', 'subject_id', 'before', 'after'];
    const more = ['reason', 'outcome', 'times', 'address', 'request_id', 'email_digest'];
    const values = [...columns, ...more].map((name) => sealed[name] ?? null);
    values[3] = String(sealed.created_at)
      .replace('T', ' ')
      .replace(/\d{3}Z$/, '');
    const { rows } = await sql<{ text: string }>`select ${JSON.stringify(values)}::jsonb::text as text`.execute(db);
    const hash = createHash('sha256').update(`\n${rows[0]?.text}`).digest('hex');
    return { chain: sealed.school_id, position: 1, entry_id: sealed.id, previous_hash: '', hash };
  }

  it('takes no ids for rows that it names and does not have, but one for each flight and event (B1445)', async () => {
    const before = await lastSquawkId();
    const listed = Array.from({ length: 5000 }, (_, at) => ({ id: at + 1, name: '', text: '' }));
    const { status, says } = await upload(
      forged({ users: [person(1)], aircraft: [plane(1)], flight_logs: [flight(1, { unsafe_at_start: listed })] }),
    );
    expect([status, says]).toEqual([400, expect.stringContaining('more rows of squawks than it can have')]);
    expect(await lastSquawkId()).toBe(before);
  });

  it('is not asked to be undone by itself, and brings no work (B1444)', async () => {
    const asked = { ...one('imports'), id: 1, user_id: 1, requested: 'undo', requested_at: '2026-11-01T00:00:00Z' };
    expect(await movedIn(forged({ users: [person(1)], imports: [asked] }))).toContain('Imported');
    const work = db.selectFrom('jobs').select('kind').where('school_id', '=', admin.schoolId);
    expect(await work.where('kind', '=', 'import').execute()).toEqual([]);
  });

  it('has no mail sent to people who had left there, whatever flights they have open (B1444)', async () => {
    const left = person(1, { deleted_at: '2026-11-20T00:00:00Z', email: 'a@b.example, c@d.example' });
    const here = person(2);
    const flights = [flight(1), flight(2, { aircraft_id: 2, user_id: 2 })];
    const files = forged({ users: [left, here], aircraft: [plane(1), plane(2)], flight_logs: flights });
    expect(await movedIn(files)).toContain('Imported');
    await mailCheckInReminders(db);
    const mails = db.selectFrom('mail_outbox').select('to_address').where('school_id', '=', admin.schoolId);
    expect(await mails.where('to_address', '<>', admin.email).execute()).toEqual([{ to_address: here.email }]);
  });

  nightly(
    'has the clean-up take turns: no other school’s addresses stay, and none’s overdue mails wait (B1444)',
    async () => {
      const other = await makeUser(db, await makeSchool(db), 'administrator');
      for (const [{ schoolId }, rows, left] of [
        [admin, MAX_REMOVED_EMAILS, '1000-01-01'],
        [other, 1, '2026-01-01'],
      ] as const) {
        await sql`
        insert into users (school_id, username, username_key, email, role, deleted_at)
        select ${schoolId}::integer, 'gone', 'gone', n || '@gone.example', 'student', ${left}::timestamptz
        from generate_series(1, ${rows}::integer) as n`.execute(db);
        for (let n = 0; n < (rows === 1 ? 1 : MAX_OVERDUE_MAILED_AT_ONCE); n += 1) {
          const aircraft_id = await makeAircraft(db, schoolId);
          await db
            .insertInto('inspections')
            .values({ school_id: schoolId, aircraft_id, name: 'Annual', due_on: left })
            .execute();
        }
      }
      await removeDeletedEmails(db);
      await mailNewlyOverdue(db);
      const kept = db
        .selectFrom('users')
        .select('email')
        .where('school_id', '=', other.schoolId)
        .where('email', '<>', '');
      expect(await kept.execute()).toEqual([{ email: other.email }]);
      const mails = db.selectFrom('mail_outbox').select('school_id').where('school_id', '=', other.schoolId);
      expect(await mails.execute()).toEqual([{ school_id: other.schoolId }]);
    },
  );

  it('leaves the doctor able to look at every school, whatever its events say (B1440)', async () => {
    const meter = { ...one('meter_segments'), aircraft_id: 1, declared_by: null, flight_log_id: null, old_last: null };
    const ends = { start_hobbs: '1.0', start_tach: '1.0', end_hobbs: '2.0', end_tach: '2.0' };
    const done = { completed_at: '2026-11-01T02:00:00Z', ...ends };
    const said = { hobbs: 'x', tachometer: 'x' };
    const text = await movedIn(
      forged({
        users: [person(1)],
        aircraft: [plane(1, { last_hobbs: '5.0', last_hobbs_at: null })],
        flight_logs: [flight(1, done)],
        meter_segments: [
          { ...meter, id: 1, reason: 'new aircraft', meter_type: 'hobbs' },
          { ...meter, id: 2, reason: 'new aircraft', meter_type: 'tachometer' },
        ],
        audit_entries: [
          event(1, { action: 'saved last reading', subject: 'aircraft', subject_id: 1, after: said }),
          ...[5, { x: 1 }, 'position'].map((after, at) =>
            event(at + 3, { action: 'recorded rows', subject: 'flight_logs', after }),
          ),
          event(2, { action: 'removed old activity', subject: 'activity', after: { position: 'x', hash: 'y' } }),
        ],
      }),
    );
    expect(text).toContain('Imported');
    const faults = await findFaults(db);
    expect(faults.map(({ rule }) => rule)).toContain('last_readings_that_do_not_fit');
    expect(faults.map(({ rule }) => rule)).not.toContain('activity_changed');
  });
});

it('events alone come in once, and the page says why no others do (B1443)', async () => {
  expect(await movedIn(forged({ users: [], audit_entries: [event(1)] }))).toContain('Imported');
  const { status, says } = await upload(forged({ users: [], audit_entries: [event(1)] }));
  expect([status, says]).toEqual([409, expect.stringContaining('events of another file')]);
});

it('is read when it is its school’s turn, and neither waits for workbooks nor they for it (B1444, B1551)', async () => {
  const fill = (queue: typeof archiveProofQueue) =>
    Array.from({ length: MAX_PENDING_IMPORT_FILES_OF_SCHOOL }, () => queue.enter([String(admin.schoolId)]));
  const leave = async (places: Promise<() => void>[]) => {
    for (const place of places) (await place)();
  };
  const archives = fill(archiveProofQueue);
  const { status, says } = await upload(forged({}));
  expect([status, says]).toEqual([503, expect.stringContaining('are being read')]);
  await leave(archives);
  const workbooks = fill(importReaderQueue);
  expect((await upload(forged({}))).status).toBe(303);
  await leave(workbooks);
});

it('one file with everything of a school waits at a time, and who may not import sends no large one (B1444)', async () => {
  expect((await upload(forged({}))).status).toBe(303);
  const second = await upload(forged({}));
  expect([second.status, second.says]).toEqual([409, expect.stringContaining('waits')]);
  const student = await makeUser(db, admin.schoolId, 'student', `s-${admin.schoolId}`);
  const request = new Request('http://localhost/', { headers: { cookie: await cookieOf(db, student) } });
  expect(await findUploadLimitBytes(request)).toBe(MAX_IMPORT_FORM_BYTES);
});
