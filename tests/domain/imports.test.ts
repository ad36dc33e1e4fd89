import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { connect, type Db } from '#db/connect.server.ts';
import { findFaults } from '#db/doctor/find-faults.ts';
import type { Member } from '#app/domain/actor.ts';
import { listAircraft } from '#app/domain/aircraft/list-aircraft.server.ts';
import { awaitCommits } from '#app/domain/changes.server.ts';
import { startFlight } from '#app/domain/flights/start-flight.server.ts';
import { completeFlight } from '#app/domain/flights/end-flight.server.ts';
import { correctFlight } from '#app/domain/flights/correction/correct-flight.server.ts';
import { enterPastFlight } from '#app/domain/flights/past/enter-past-flight.server.ts';
import { deleteOldImports } from '#app/domain/imports/change-import.server.ts';
import { NO_OPTIONS } from '#app/domain/imports/options.server.ts';
import { requestApply } from '#app/domain/imports/request-import.server.ts';
import { requireImport } from '#app/domain/imports/queries.server.ts';
import { runRequestedWork } from '#app/domain/imports/run-import.server.ts';
import { changeInspection, removeInspection } from '#app/domain/inspections/save-inspection.server.ts';
import { previewImport } from '#app/domain/imports/upload-import.server.ts';
import { MAX_MAILS_OF_SCHOOL_HOURLY, UNAPPLIED_IMPORT_KEPT_DAYS } from '#app/limits.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { apply, fileOf, importFile, importLines, undo, upload } from '#tests/support/imports/files.ts';
import { takesAll } from '#tests/support/takes-all.ts';
import { makeAircraft, makeSchool, makeSquawk, makeUser } from '#tests/support/school.ts';

const { db, url } = await testDatabase();

/** Usernames are those of the whole installation. */
const letters = (id: number) => [...String(id)].map((digit) => 'abcdefghij'[Number(digit)]).join('');

let schoolId: number;
let admin: Member;
let pilot: Member;
let aircraft: number;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator', `ada${schoolId}`);
  pilot = await makeUser(db, schoolId, 'student', `pat${letters(schoolId)}`);
  aircraft = await makeAircraft(db, schoolId, { tail_number: 'N1' });
});

/** A flight of an hour on a day of May; a pilot by name. */
const flight = (
  day: number,
  start: number,
  more: { end?: number; tail?: string; oil?: string; notes?: string } = {},
) => {
  const date = `2026-05-${String(day).padStart(2, '0')}`;
  const { end = start + 1, tail = 'N1', oil = '', notes = '' } = more;
  return `${tail},${pilot.username},,${date}T10:00:00Z,${date}T11:00:00Z,${start}.0,${end}.0,${start}.5,${end}.5,${oil},${notes}`;
};

/** Checks the aircraft out and in, an hour later by its meters. */
async function fly(pool: Db, start: number): Promise<void> {
  const input = { aircraftId: aircraft, startHobbsTime: `${start}.0`, startTachTime: `${start}.5` };
  const { id } = await startFlight(pool, pilot, input);
  await completeFlight(pool, pilot, id, { endHobbsTime: `${start + 1}.0`, endTachTime: `${start + 1}.5` });
}

/** All rows of the school, but for imports, what is recorded and the number of the last change. */
async function contents() {
  const tables = ['aircraft', 'users', 'flight_logs', 'fuel_records', 'meter_segments', 'squawks', 'squawk_events'];
  const all = [...tables, 'inspections', 'password_links', 'mail_outbox'].map(async (table) => {
    const { rows } =
      await sql<object>`select * from ${sql.table(table)} where school_id = ${schoolId} order by 1, 2, 3`.execute(db);
    // A change taken back is a change to whoever follows.
    return [table, rows.map((row) => ({ ...row, change_id: null }))];
  });
  return Object.fromEntries(await Promise.all(all)) as Record<string, Record<string, unknown>[]>;
}

const KINDS = {
  fleet: () => ['N7,Piper,PA-28,1999,100.0,90.00', 'N1,Cessna,172R,1998,,'],
  people: () => [`otto${schoolId},Otto Öl,otto@club.example,instructor`, `pia${schoolId},,pia@club.example,student`],
  flights: () => [`${flight(1, 100, { oil: '1.5', notes: 'Tire worn' })},12.5`, flight(2, 101)],
  squawks: () => [
    'N1,Tire worn,,fixed,2026-05-01T12:00:00Z,New tire',
    'N1,Radio,,deferred,2026-05-02T12:00:00Z,2026-12-03',
  ],
  inspections: () => ['N1,100 h,150.0,,100,', 'N1,Annual,,2027-03-01,,12'],
};
type Kind = keyof typeof KINDS;
const EACH: Kind[] = takesAll ? ['fleet', 'people', 'flights', 'squawks', 'inspections'] : ['people', 'flights'];

describe('an import', () => {
  const events = (action = '%') =>
    db
      .selectFrom('audit_entries')
      .select(['action', 'after'])
      .where('school_id', '=', schoolId)
      .where('action', 'like', action)
      .where('action', '!=', 'recorded rows')
      .orderBy('id')
      .execute();

  it('brings in flights with all of the file, once, without a mail; one entry records each (B825, B826, B832, C93)', async () => {
    const done = await importLines(db, admin, 'flights', KINDS.flights());
    expect(done).toMatchObject({ state: 'applied', failure: null, preview: { rows: 2, added: 2, refused: 0 } });
    const { flight_logs, fuel_records, aircraft: fleet, meter_segments } = await contents();
    expect(flight_logs).toMatchObject([
      {
        ...{ aircraft_id: aircraft, user_id: pilot.id, completed_by: pilot.id, notes: 'Tire worn', reading_flags: [] },
        ...{ start_hobbs: '100.0', end_hobbs: '101.0', start_tach: '100.5', end_tach: '101.5' },
        ...{ created_at: new Date('2026-05-01T10:00Z'), completed_at: new Date('2026-05-01T11:00Z') },
      },
      { start_hobbs: '101.0', end_hobbs: '102.0' },
    ]);
    expect(fuel_records).toMatchObject([
      { refueled: true, oil_added: true, oil_quantity: '1.5', notes: 'Fuel (gal): 12.5' },
    ]);
    const end = new Date('2026-05-02T11:00Z');
    expect(fleet).toMatchObject([
      { last_hobbs: '102.0', last_hobbs_at: end, last_hobbs_by: pilot.id, last_tach: '102.5', last_tach_at: end },
    ]);
    const start = new Date('2026-05-01T10:00Z');
    expect(meter_segments).toMatchObject([
      { meter_type: 'hobbs', first_reading: '100.0', started_at: start },
      { meter_type: 'tachometer', first_reading: '100.5', started_at: start },
    ]);
    expect(await findFaults(db)).toEqual([]);
    await importLines(db, admin, 'squawks', KINDS.squawks());
    const before = await contents();
    expect(before.mail_outbox).toEqual([]);
    const again = await importLines(db, admin, 'flights', KINDS.flights());
    expect(again).toMatchObject({ state: 'applied', preview: { added: 0, changed: 0, present: 2, refused: 0 } });
    expect(await contents()).toEqual(before);
    const [entry, ...more] = await events();
    expect(entry).toMatchObject({ action: 'imported file', after: { kind: 'flights', file: 'club.csv', rows: 2 } });
    expect(more.map(({ action }) => action)).toEqual(['imported file', 'imported file']);
  });

  it.each(EACH)('undone, %s leave everything as it was (B827, C93)', async (kind) => {
    const before = await contents();
    const { id } = await importLines(db, admin, kind, KINDS[kind]());
    expect(await contents()).not.toEqual(before);
    expect(await undo(db, admin, id)).toMatchObject({ state: 'undone', failure: null });
    // The administrators hear of it.
    await db.deleteFrom('mail_outbox').where('subject', 'like', '%undid an import%').execute();
    expect(await contents()).toEqual(before);
    expect(await db.selectFrom('import_rows').selectAll().where('school_id', '=', schoolId).execute()).toEqual([]);
    expect(await importLines(db, admin, kind, KINDS[kind]())).toMatchObject({ state: 'applied' });
  });

  it('one row that the database refuses leaves nothing of the others (B828, C93)', async () => {
    await sql`create function refuse_last() returns trigger language plpgsql as $$
      begin if new.start_hobbs = 149 then raise exception 'no space'; end if; return new; end $$`.execute(db);
    await sql`create trigger refuse_last before insert on flight_logs for each row execute function refuse_last()`.execute(
      db,
    );
    const before = await contents();
    const lines = Array.from({ length: 20 }, (_, at) => flight(at + 1, 130 + at));
    const { id } = await upload(db, admin, 'flights', lines);
    await expect(apply(db, admin, id)).rejects.toThrow('no space');
    await sql`drop function refuse_last cascade`.execute(db);
    expect(await contents()).toEqual(before);
    const failure = expect.stringContaining('nothing was written');
    expect(await requireImport(db, schoolId, id)).toMatchObject({ state: 'uploaded', requested: null, failure });
    expect(await apply(db, admin, id)).toMatchObject({ state: 'applied', preview: { added: 20 } });
  });

  it('a preview is never trusted: what was changed since refuses the import, in words (B829, C93)', async () => {
    const { id } = await upload(db, admin, 'flights', [flight(1, 100)]);
    await db.updateTable('aircraft').set({ deleted_at: new Date() }).where('id', '=', aircraft).execute();
    const failure =
      'Nothing was imported: 1 row is refused. Row 2, Aircraft: N1 is not in the fleet. Import the fleet first.';
    expect(await apply(db, admin, id)).toMatchObject({ state: 'uploaded', requested: null, failure });
  });

  it('asked for in two tabs at once, is done once (B830, C93)', async () => {
    const { id } = await upload(db, admin, 'flights', KINDS.flights());
    const pool = connect(url, { max: 4 });
    await Promise.all(Array.from({ length: 3 }, () => requestApply(pool, { member: admin }, id, NO_OPTIONS)));
    await Promise.all(
      Array.from({ length: 3 }, () => runRequestedWork({ work: pool, progress: pool }, { id, schoolId })),
    );
    await pool.destroy();
    expect((await contents()).flight_logs).toHaveLength(2);
    expect(await events('imported file')).toHaveLength(1);
  });

  it('a file that was never imported is deleted after a week, unless it waits for its turn (B986, C93)', async () => {
    const names = ['waiting', 'forgotten', 'fresh'];
    const ids: number[] = [];
    for (const name of names) ids.push((await upload(db, admin, 'flights', KINDS.flights(), `${name}.csv`)).id);
    const [waiting = 0, forgotten = 0] = ids;
    await requestApply(db, { member: admin }, waiting, NO_OPTIONS);
    await sql`update imports set created_at = now() - ${UNAPPLIED_IMPORT_KEPT_DAYS} * interval '1 day'
      where id in (${waiting}, ${forgotten})`.execute(db);
    await deleteOldImports(db);
    const left = await db.selectFrom('imports').select('file_name').where('school_id', '=', schoolId).execute();
    expect(left.map(({ file_name }) => file_name).toSorted()).toEqual(['fresh.csv', 'waiting.csv']);
    expect(await apply(db, admin, waiting)).toMatchObject({ state: 'applied' });
  });

  /** Stops an import at its first flight, after it has planned all, until the work is done. */
  async function whileWriting<Result>(importId: number, work: (pool: Db) => Promise<Result>): Promise<Result> {
    await sql`create or replace function wait_for_test() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(1, new.school_id); return new; end $$`.execute(db);
    await sql`create trigger wait_for_test before insert on flight_logs
      for each row when (new.completed_at is not null) execute function wait_for_test()`.execute(db);
    const pool = connect(url, { max: 6 });
    try {
      const [imported, result] = await pool.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(1, ${schoolId})`.execute(trx);
        const importing = apply(pool, admin, importId);
        await expect.poll(async () => (await waitersOf(pool)).length, { timeout: 120_000 }).toBe(1);
        return [importing, await work(pool)];
      });
      await imported;
      return result;
    } finally {
      await pool.destroy();
      await sql`drop function wait_for_test cascade`.execute(db);
    }
  }

  const waitersOf = async (pool: Db) => {
    const locks = sql`select from pg_locks where locktype = 'advisory' and classid = 1 and objid = ${schoolId} and not granted`;
    return (await locks.execute(pool)).rows;
  };

  it('a check-out and its check-in wait for no import that is writing, and all are whole (B831, B950, C93)', async () => {
    const { id } = await upload(db, admin, 'flights', KINDS.flights());
    await whileWriting(id, (pool) => fly(pool, 102));
    const { flight_logs, aircraft: fleet } = await contents();
    expect(flight_logs).toHaveLength(3);
    expect(fleet).toMatchObject([{ last_hobbs: '103.0', last_tach: '103.5' }]);
    expect(await requireImport(db, schoolId, id)).toMatchObject({ state: 'applied', preview: { added: 2 } });
    expect(await findFaults(db)).toEqual([]);
  });

  it('the newest flight is the imported one, though the one before was corrected or entered since (B1656, B950)', async () => {
    const ended = { end_hobbs: '101.0', end_tach: '101.5', completed_at: new Date('2026-05-01T11:00Z') };
    const began = { start_hobbs: '100.0', start_tach: '100.5', created_at: new Date('2026-05-01T10:00Z') };
    const id = await makeFlight(db, pilot, aircraft, { ...began, ...ended, completed_by: pilot.id });
    const last = { last_hobbs: '101.0', last_tach: '101.5', last_hobbs_at: ended.completed_at };
    const lastAt = { ...last, last_tach_at: ended.completed_at };
    await db.updateTable('aircraft').set(lastAt).where('id', '=', aircraft).execute();
    await correctFlight(db, admin, id, { endHobbsTime: '101.2', endTachTime: '101.7', reason: 'Misread' });
    const before = await contents();
    const line = flight(3, 102, { end: 103 });
    const imported = await importLines(db, admin, 'flights', [line]);
    expect(imported).toMatchObject({ state: 'applied', preview: { added: 1 } });
    expect((await contents()).aircraft).toMatchObject([{ last_hobbs: '103.0', last_tach: '103.5' }]);
    expect(await findFaults(db)).toEqual([]);
    await undo(db, admin, imported.id);
    expect((await contents()).aircraft).toEqual(before.aircraft);
    // A reading that was saved since stays, as does that of a later flight.
    const saved = { last_hobbs: '110.0', last_hobbs_at: new Date(), last_tach: '110.5', last_tach_at: new Date() };
    await db.updateTable('aircraft').set(saved).where('id', '=', aircraft).execute();
    await importLines(db, admin, 'flights', [line]);
    expect((await contents()).aircraft).toMatchObject([{ last_hobbs: '110.0', last_tach: '110.5' }]);
  });

  it('what is due follows a meter that an imported flight changed; what was set since stays (B932, B1656)', async () => {
    const early = { school_id: schoolId, aircraft_id: aircraft, changed_at: new Date('2026-05-01Z') };
    const due = { ...early, name: 'Oil', due_hobbs: '120.0' };
    const since = { ...due, name: 'Since', changed_at: new Date('2026-05-09Z') };
    await db.insertInto('inspections').values([due, since]).execute();
    const deferred = { state: 'deferred' as const, until_hobbs: '110.0' };
    const squawk_id = await makeSquawk(db, pilot, aircraft, deferred);
    const event = { school_id: schoolId, squawk_id, user_id: admin.id, created_at: new Date('2026-05-01Z') };
    const { state, until_hobbs } = deferred;
    await db
      .insertInto('squawk_events')
      .values({ ...event, state, until_hobbs })
      .execute();
    await importLines(db, admin, 'squawks', ['N1,Radio,,deferred,2026-05-02T12:00:00Z,Hobbs 130.0']);
    const points = async () => {
      const { inspections, squawks } = await contents();
      return [...(inspections ?? []), ...(squawks ?? [])].map((row) => Number(row.due_hobbs ?? row.until_hobbs));
    };
    const file = 'Aircraft,Pilot,Started,Completed,Hobbs Start,Hobbs End,Tach Start,Tach End,Meter Changes';
    const row = `N1,${pilot.username},2026-05-03T10:00:00Z,2026-05-03T11:00:00Z,100.0,0.5,100.5,101.5`;
    const content = Buffer.from(`${file}\n${row},Hobbs replaced 100.5 to 0.0`);
    const imported = await importFile(db, admin, 'flights', { content, name: 'club.csv' });
    expect(imported).toMatchObject({ state: 'applied', preview: { added: 1 } });
    expect(await points()).toEqual([19.5, 120, 9.5, 130]);
    expect(await findFaults(db)).toEqual([]);
    expect(await undo(db, admin, imported.id)).toMatchObject({ state: 'undone' });
    expect(await points()).toEqual([120, 120, 110, 130]);
  });

  it('an inspection that a file changes is set anew: past its point it is mailed again (B619, B932)', async () => {
    const before = { changed_at: new Date('2026-05-01Z'), overdue_mailed_at: new Date('2026-05-02Z') };
    const due = { school_id: schoolId, aircraft_id: aircraft, name: '100 h', due_tach: '100.0', ...before };
    await db.insertInto('inspections').values(due).execute();
    expect(await importLines(db, admin, 'inspections', KINDS.inspections())).toMatchObject({ preview: { changed: 1 } });
    const [changed] = (await contents()).inspections ?? [];
    expect(changed).toMatchObject({ due_tach: '150.0', overdue_mailed_at: null });
    expect(Number(changed?.changed_at)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('inspections of an import that is undone are a change of their aircraft, to who asks for changes (B827, B350)', async () => {
    const { id } = await importLines(db, admin, 'inspections', KINDS.inspections());
    await sql`update inspections set changed_at = now() - interval '1 hour' where school_id = ${schoolId}`.execute(db);
    const since = (await awaitCommits(db, schoolId)).toISOString();
    const changes = () => listAircraft(db, admin, { since, after: undefined, limit: undefined });
    expect(await changes()).toEqual([]);
    await undo(db, admin, id);
    expect(await changes()).toMatchObject([{ id: aircraft, conditions: [] }]);
  });

  it('an import that fits no more once it is written is planned again, and refused as a whole (B951, C93)', async () => {
    const { id } = await upload(db, admin, 'flights', KINDS.flights());
    await whileWriting(id, (pool) => fly(pool, 50));
    expect((await contents()).flight_logs).toHaveLength(1);
    const refused = await requireImport(db, schoolId, id);
    expect(refused).toMatchObject({ state: 'uploaded', requested: null });
    expect(refused.failure).toContain('1 row is refused. Row 3, Hobbs End: 102.00 Hobbs is above 50.00');
  });

  it('whoever is no administrator any more imports nothing (B832, C93)', async () => {
    const { id } = await upload(db, admin, 'flights', KINDS.flights());
    await requestApply(db, { member: admin }, id, NO_OPTIONS);
    await db.updateTable('users').set({ role: 'student' }).where('id', '=', admin.id).execute();
    await runRequestedWork({ work: db, progress: db }, { id, schoolId });
    expect(await requireImport(db, schoolId, id)).toMatchObject({ state: 'uploaded', failure: 'Forbidden' });
    expect((await contents()).flight_logs).toEqual([]);
    await expect(upload(db, pilot, 'flights', [])).rejects.toThrow();
  });
});

describe('what is refused', () => {
  const refusals = (kind: Kind, lines: string[], options = NO_OPTIONS) =>
    previewImport(db, { schoolId, timeZone: 'UTC' }, fileOf(kind, lines), kind, { options });

  it('a name with the family name first names the user who may be meant, unless there are two (B1736)', async () => {
    const lines = [flight(2, 100).replace(pilot.username, 'Rivera Jo Alex')];
    const reason = async () => (await refusals('flights', lines)).problems.map(({ message }) => message);
    const make = async () => {
      const { id, username } = await makeUser(db, schoolId);
      await db.updateTable('users').set({ name: 'Jo Alex Rivera' }).where('id', '=', id).execute();
      return username;
    };
    const username = await make();
    const start = 'Rivera Jo Alex is no user here. ';
    expect(await reason()).toEqual([`${start}Jo Alex Rivera is: write '${username}' instead.`]);
    await make();
    expect(await reason()).toEqual([`${start}Import the people first.`]);
  });

  it('names row, column and reason of flights that cannot be, and writes nothing (B833, C93)', async () => {
    const other = await makeSchool(db);
    await makeAircraft(db, other, { tail_number: 'N99999' });
    const lines = [
      flight(1, 100, { tail: 'N99999' }),
      flight(2, 100).replace(pilot.username, 'nobody'),
      flight(3, 100, { end: 99 }),
      flight(4, 100).replaceAll('2026-05', '2126-05'),
      flight(5, 100).replace(',,', `,${pilot.username},`),
      flight(6, 100),
      flight(6, 100),
    ];
    const preview = await refusals('flights', lines);
    expect(preview).toMatchObject({ rows: 7, added: 1, refused: 6 });
    expect(preview.problems.map(({ row, column, message }) => `${row} ${column}: ${message}`)).toEqual([
      '2 Aircraft: N99999 is not in the fleet. Import the fleet first.',
      '3 Pilot: nobody is no user here. Import the people first.',
      expect.stringMatching(
        /^4 Hobbs End: The end reading 99.0 is not above the start reading 100.0. If .*'Hobbs replaced 9876.5 to 0.0'/,
      ),
      expect.stringMatching(
        /^4 Tach End: The end reading 99.5 is not above the start reading 100.5. If .*'tach replaced 9876.5 to 0.0'/,
      ),
      '5 Started: "2126-05-04" is no date.',
      `6 Instructor: ${pilot.username} is no instructor here.`,
      '8 Started: The same flight stands in row 7.',
    ]);
    expect(await importLines(db, admin, 'flights', lines)).toMatchObject({ state: 'uploaded' });
    expect((await contents()).flight_logs).toEqual([]);
    expect(await importLines(db, admin, 'flights', lines, { leaveOutRefused: true })).toMatchObject({
      state: 'applied',
      preview: { added: 1 },
    });
    expect((await contents()).flight_logs).toHaveLength(1);
  });

  it('a flight that stands twice and says otherwise is shown with both values, and only the first one comes (B1621)', async () => {
    const twice = [
      flight(6, 100),
      flight(6, 100)
        .replace(pilot.username, admin.username)
        .replace(/[^,]*$/, 'Brake soft'),
    ];
    const preview = await refusals('flights', [...twice, twice[0] ?? '']);
    expect(preview).toMatchObject({ rows: 3, added: 1, different: 1, refused: 1 });
    expect(preview.differences).toEqual([
      {
        ...{ row: 3, column: 'Pilot' },
        message: `The same flight stands in row 2: the pilot is ${pilot.username} there, ${admin.username} here; the squawk or note is none there, Brake soft here.`,
      },
    ]);
  });

  it('a flight with its end alone is asked about, and refused where none of its aircraft ended before (B1620)', async () => {
    const file = {
      content: Buffer.from(`Date,Aircraft,Pilot,Hobbs,Tach\n2026-05-01,N1,${pilot.username},100.5,90.5\n`),
      name: 'ends.csv',
    };
    const school = { schoolId, timeZone: 'UTC' };
    await expect(previewImport(db, school, file, 'flights')).rejects.toThrow(
      /values \(starts\): 'Hobbs' .* refuse: That is/,
    );
    const preview = (starts: string) => previewImport(db, school, file, 'flights', { answers: { values: { starts } } });
    for (const starts of ['before', 'refuse']) {
      const { added, problems } = await preview(starts);
      expect(added, starts).toBe(0);
      expect(problems[0]?.message).toMatch(
        /^No reading at the start is known: .* Write it into a column of the file\.$/,
      );
    }
  });

  it('the second leg of a flight, without its names, is no line of sums (B1623)', async () => {
    const [first = '', second = ''] = [flight(6, 100), flight(6, 101)];
    const nameless = second.replace(/N\d+/, '').replace(pilot.username, '');
    const preview = await refusals('flights', [first, nameless]);
    expect(preview).toMatchObject({ rows: 2, added: 1, refused: 1, skipped: [] });
  });

  it('finds aircraft without their dash or spaces, and people by their last name first (B954, C93)', async () => {
    await makeAircraft(db, schoolId, { tail_number: 'D-EABC' });
    await db.updateTable('users').set({ name: 'Anna Weber' }).where('id', '=', pilot.id).execute();
    const lines = [
      flight(1, 100, { tail: 'd eabc' }),
      flight(2, 101, { tail: 'DEABC' }).replace(pilot.username, '"Weber, Anna"'),
    ];
    expect(await refusals('flights', lines)).toMatchObject({ added: 2, refused: 0 });
    await makeAircraft(db, schoolId, { tail_number: 'DE-ABC' });
    expect(await refusals('flights', lines)).toMatchObject({ added: 0, refused: 2 });
  });

  it('readings below earlier ones and flights at the same time need a tick; unlogged hours are a remark (B834, C93)', async () => {
    await importLines(db, admin, 'flights', [flight(10, 100)]);
    const lines = [flight(9, 105), flight(11, 90), flight(12, 120), flight(12, 121)];
    const preview = await refusals('flights', lines);
    const places = ['2 Hobbs End', '2 Tach End', '3 Hobbs Start', '3 Tach Start', '5 Started'];
    expect(preview.problems.map(({ row, column }) => `${row} ${column}`)).toEqual(places);
    expect(preview.problems[2]?.message).toBe(
      '90.00 Hobbs is below 101.00, the reading before it (10 May 2026, 11:00 UTC).',
    );
    expect(preview.remarks.map(({ row, message }) => `${row} ${message}`)).toContain(
      '4 29.00 h of Hobbs are not logged before this flight.',
    );
    const done = await importLines(db, admin, 'flights', lines, { oddReadings: true });
    expect(done).toMatchObject({ state: 'applied', preview: { added: 4, refused: 0 } });
  });

  it('people: a name that another school has, one address twice, and administrators without a tick (B833, B1624)', async () => {
    const taken = await makeUser(db, await makeSchool(db), 'student');
    const lines = [
      `${taken.username},,new@club.example,student`,
      `otto${schoolId},,otto@club.example,student`,
      `otilie${schoolId},,OTTO@club.example,student`,
      `boss${schoolId},,boss@club.example,administrator`,
      `${pilot.username.toUpperCase()},,other@club.example,instructor`,
    ];
    const preview = await refusals('people', lines);
    expect(preview).toMatchObject({ added: 1, present: 0, different: 1, refused: 3 });
    expect(preview.problems.map(({ row, column }) => `${row} ${column}`)).toEqual([
      '2 username',
      '4 username',
      '5 role',
    ]);
    const same = await refusals('people', [`${pilot.username},,other@club.example,student`]);
    const others = `the email is ${pilot.email} here, other@club.example in the file`;
    const [of, column] = [`${pilot.username} is there`, 'email'];
    expect([preview.differences, same.differences]).toEqual([
      [{ row: 6, column, message: `${of}: ${others}; the role is student here, instructor in the file.` }],
      [{ row: 2, column, message: `${of}: ${others}.` }],
    ]);
    const ticked = await refusals('people', lines, { ...NO_OPTIONS, administrators: true });
    expect(ticked).toMatchObject({ added: 2, refused: 2 });
  });
});

describe('undoing an import', () => {
  it('is refused in words once a flight of it was corrected (B827, C93)', async () => {
    const { id } = await importLines(db, admin, 'flights', KINDS.flights());
    const [first] = (await contents()).flight_logs ?? [];
    const input = { startHobbsTime: '99.0', startTachTime: '100.5', endHobbsTime: '101.0', endTachTime: '101.5' };
    const correction = { ...input, reason: 'Misread' };
    await correctFlight(db, admin, Number(first?.id), correction);
    const failure = 'N1 of 2026-05-01 10:00 was corrected since, so that the import cannot be undone.';
    expect(await undo(db, admin, id)).toMatchObject({ state: 'applied', failure });
    expect((await contents()).flight_logs).toHaveLength(2);
    expect(await importLines(db, admin, 'flights', KINDS.flights())).toMatchObject({
      preview: { added: 0, present: 1, different: 1 },
    });
  });
});

describe('undoing an import of flights', () => {
  it('leaves the last readings of the flight before, as it was corrected or entered since (B1812)', async () => {
    const ended = { end_hobbs: '101.0', end_tach: '101.5', completed_at: new Date('2026-05-01T11:00Z') };
    const began = { start_hobbs: '100.0', start_tach: '100.5', created_at: new Date('2026-05-01T10:00Z') };
    const first = await makeFlight(db, pilot, aircraft, { ...began, ...ended, completed_by: pilot.id });
    const last = { last_hobbs: '101.0', last_tach: '101.5', last_hobbs_at: ended.completed_at };
    await db
      .updateTable('aircraft')
      .set({ ...last, last_tach_at: ended.completed_at })
      .where('id', '=', aircraft)
      .execute();
    const imported = await importLines(db, admin, 'flights', [flight(5, 104)]);
    await correctFlight(db, admin, first, { endHobbsTime: '101.2', endTachTime: '101.7', reason: 'Misread' });
    await undo(db, admin, imported.id);
    expect((await contents()).aircraft).toMatchObject([{ last_hobbs: '101.2', last_tach: '101.7' }]);

    const again = await importLines(db, admin, 'flights', [flight(5, 104)]);
    const readings = { startHobbsTime: '102.0', endHobbsTime: '103.0', startTachTime: '102.5', endTachTime: '103.5' };
    const times = { departedAt: '2026-05-03T10:00:00Z', landedAt: '2026-05-03T11:00:00Z' };
    const entered = { ...readings, ...times, aircraftId: aircraft, pilotId: pilot.id, reason: 'On paper' };
    await enterPastFlight(db, admin, entered);
    await undo(db, admin, again.id);
    expect((await contents()).aircraft).toMatchObject([{ last_hobbs: '103.0', last_tach: '103.5' }]);
  });
});

describe('undoing an import of inspections', () => {
  it('is refused in words once one that it added was changed, unless that was removed since (B1811)', async () => {
    const { id } = await importLines(db, admin, 'inspections', KINDS.inspections());
    const [inspection] = (await contents()).inspections ?? [];
    const input = { name: '100 h', due: { at: 'tach', value: '160.0' }, interval: null } as const;
    await changeInspection(db, admin, Number(inspection?.id), input);
    const failure = '100 h was changed since, so that the import cannot be undone.';
    expect(await undo(db, admin, id)).toMatchObject({ state: 'applied', failure });
    expect((await contents()).inspections).toMatchObject([{ due_tach: '160.0' }, {}]);
    await removeInspection(db, admin, Number(inspection?.id));
    expect(await undo(db, admin, id)).toMatchObject({ state: 'undone', failure: null });
  });
});

describe('imported people', () => {
  it('get no password and no mail, or one each with a link to choose a password where that is ticked (B815, C93)', async () => {
    const { id } = await importLines(db, admin, 'people', KINDS.people());
    const { users, ...without } = await contents();
    const otto = { name: 'Otto Öl', role: 'instructor', password_generation: 0 };
    expect(users?.find(({ username }) => username === `otto${schoolId}`)).toMatchObject(otto);
    expect([without.mail_outbox, without.password_links]).toEqual([[], []]);
    await undo(db, admin, id);
    await db.deleteFrom('mail_outbox').execute();
    await importLines(db, admin, 'people', KINDS.people(), { sendInvitations: true });
    const { mail_outbox, password_links } = await contents();
    expect(mail_outbox).toMatchObject([
      { to_name: 'Otto Öl', to_address: 'otto@club.example', subject: 'Your account at Cascade Flight School' },
      { to_name: `pia${schoolId}`, to_address: 'pia@club.example' },
    ]);
    expect(mail_outbox?.[0]?.body_text).toContain('as an instructor. Your username is otto');
    expect(password_links).toHaveLength(2);
  });

  it('are not invited beyond what a school may mail in an hour (B985, C93)', async () => {
    const names = Array.from({ length: MAX_MAILS_OF_SCHOOL_HOURLY + 1 }, (_, at) => `person.${letters(at)}`);
    const lines = names.map((name) => `${name},,${name}@club.example,student`);
    const refused = await importLines(db, admin, 'people', lines, { sendInvitations: true });
    expect(refused.state).toBe('uploaded');
    expect(refused.failure).toContain(`At most ${MAX_MAILS_OF_SCHOOL_HOURLY} invitations`);
    expect((await contents()).mail_outbox).toEqual([]);
  });
});
