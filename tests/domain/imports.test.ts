import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { connect, type Db } from '#db/connect.server.ts';
import { findFaults } from '#db/doctor/find-faults.ts';
import type { Member } from '#app/domain/actor.ts';
import { startFlight } from '#app/domain/flights/start-flight.server.ts';
import { completeFlight } from '#app/domain/flights/complete-flight.server.ts';
import { correctReadings, previewCorrection } from '#app/domain/flights/correct-readings.server.ts';
import {
  changeImport,
  deleteOldImports,
  findProblems,
  removeImport,
} from '#app/domain/imports/change-import.server.ts';
import { NO_OPTIONS } from '#app/domain/imports/options.server.ts';
import { findRequested, requestApply } from '#app/domain/imports/request-import.server.ts';
import { requireImport } from '#app/domain/imports/queries.server.ts';
import { runImport } from '#app/domain/imports/run-import.server.ts';
import { previewImport, uploadImport } from '#app/domain/imports/upload-import.server.ts';
import { MAX_MAILS_OF_SCHOOL, UPLOADED_IMPORT_KEPT_DAYS } from '#app/limits.ts';
import { changeSquawk } from '#app/domain/squawks/change-squawk.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { apply, fileOf, importLines, undo, upload } from '#tests/support/imports/files.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

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
  fleet: ['N7,Piper,PA-28,1999,100.0,90.00', 'N1,Cessna,172R,1998,,'],
  people: () => [`otto${schoolId},Otto Öl,otto@club.example,instructor`, `pia${schoolId},,pia@club.example,student`],
  flights: () => [`${flight(1, 100, { oil: '1.5', notes: 'Tire worn' })},12.5`, flight(2, 101)],
  squawks: ['N1,Tire worn,,fixed,2026-05-01T12:00:00Z,New tire', 'N1,Radio,,deferred,2026-05-02T12:00:00Z,2026-12-03'],
  inspections: ['N1,100 h,150.0,,100,', 'N1,Annual,,2027-03-01,,12'],
} as const;
type Kind = keyof typeof KINDS;
const linesOf = (kind: Kind): string[] => {
  const lines = KINDS[kind];
  return typeof lines === 'function' ? lines() : [...lines];
};
const EACH: Kind[] = ['fleet', 'people', 'flights', 'squawks', 'inspections'];

describe('an import', () => {
  it('brings in flights with all of the file, and the last readings and first meters of the aircraft (B825, C93)', async () => {
    const done = await importLines(db, admin, 'flights', KINDS.flights());
    expect(done).toMatchObject({ state: 'applied', failure: null, preview: { rows: 2, added: 2, refused: 0 } });
    const { flight_logs, fuel_records, aircraft: fleet, meter_segments } = await contents();
    expect(flight_logs).toMatchObject([
      {
        aircraft_id: aircraft,
        user_id: pilot.id,
        start_hobbs: '100.0',
        end_hobbs: '101.0',
        start_tach: '100.5',
        end_tach: '101.5',
        notes: 'Tire worn',
        created_at: new Date('2026-05-01T10:00Z'),
        completed_at: new Date('2026-05-01T11:00Z'),
        completed_by: pilot.id,
        reading_flags: [],
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
  });

  it('brings in aircraft in maintenance, oil without fuel, and what is fixed without a word (B825, C93)', async () => {
    const fleet = {
      content: Buffer.from('tailNumber,make,model,year,status\nN8,Cessna,152,1980,maintenance'),
      name: 'a.csv',
    };
    const { id } = await uploadImport(db, { ...admin, member: admin }, fleet, 'fleet');
    await apply(db, admin, id);
    await importLines(db, admin, 'flights', [flight(1, 100, { oil: '1.5' }), `${flight(2, 101)},12.5`]);
    await importLines(db, admin, 'squawks', ['N1,Radio,,fixed,2026-05-01T12:00:00Z,']);
    const { aircraft: all, fuel_records, squawk_events } = await contents();
    expect(all?.map(({ maintenance_since }) => maintenance_since)).toEqual([null, expect.any(Date)]);
    expect(fuel_records).toMatchObject([
      { refueled: false, oil_added: true, oil_quantity: '1.5' },
      { refueled: true, oil_added: false, oil_quantity: null },
    ]);
    expect(squawk_events?.map(({ state, remark }) => [state, remark])).toEqual([
      ['open', ''],
      ['fixed', 'fixed'],
    ]);
  });

  it.each(EACH)('a second import of the same %s adds nothing, and one entry records each (B826, C93)', async (kind) => {
    await importLines(db, admin, kind, linesOf(kind));
    const before = await contents();
    const again = await importLines(db, admin, kind, linesOf(kind));
    expect(again).toMatchObject({ state: 'applied', preview: { added: 0, changed: 0, present: 2, refused: 0 } });
    expect(await contents()).toEqual(before);
    const entries = await db
      .selectFrom('audit_entries')
      .select(['action', 'after'])
      .where('school_id', '=', schoolId)
      .orderBy('id')
      .execute();
    expect(entries.map(({ action }) => action)).toEqual(['imported file', 'imported file']);
    expect(entries[0]?.after).toMatchObject({ kind, file: 'club.csv', rows: 2 });
  });

  it.each(EACH)('undone, %s leave everything as it was (B827, C93)', async (kind) => {
    const before = await contents();
    const { id } = await importLines(db, admin, kind, linesOf(kind));
    expect(await contents()).not.toEqual(before);
    expect(await undo(db, admin, id)).toMatchObject({ state: 'undone', failure: null });
    expect(await contents()).toEqual(before);
    expect(await db.selectFrom('import_rows').selectAll().where('school_id', '=', schoolId).execute()).toEqual([]);
    expect(await importLines(db, admin, kind, linesOf(kind))).toMatchObject({ state: 'applied' });
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
    expect(await requireImport(db, schoolId, id)).toMatchObject({
      state: 'uploaded',
      requested: null,
      failure: expect.stringContaining('nothing was written'),
    });
    expect(await apply(db, admin, id)).toMatchObject({ state: 'applied', preview: { added: 20 } });
  });

  it('a preview is never trusted: what was changed since refuses the import, in words (B829, C93)', async () => {
    const { id } = await upload(db, admin, 'flights', [flight(1, 100)]);
    await db.updateTable('aircraft').set({ deleted_at: new Date() }).where('id', '=', aircraft).execute();
    const refused = await apply(db, admin, id);
    expect(refused).toMatchObject({ state: 'uploaded', requested: null });
    expect(refused.failure).toBe(
      'Nothing was imported: 1 row is refused. Row 2, Aircraft: N1 is not in the fleet. Import the fleet first.',
    );
  });

  it('asked for in two tabs at once, is done once (B830, C93)', async () => {
    const { id } = await upload(db, admin, 'flights', KINDS.flights());
    const pool = connect(url, { max: 4 });
    await Promise.all(Array.from({ length: 3 }, () => requestApply(pool, { ...admin, member: admin }, id, NO_OPTIONS)));
    await Promise.all(Array.from({ length: 3 }, () => runImport({ work: pool, progress: pool }, { id, schoolId })));
    await pool.destroy();
    expect((await contents()).flight_logs).toHaveLength(2);
    expect(
      await db.selectFrom('audit_entries').select('action').where('school_id', '=', schoolId).execute(),
    ).toHaveLength(1);
  });

  it('whose server ended before it was done is still asked for, and given up after three times (B830, C93)', async () => {
    const { id } = await upload(db, admin, 'flights', KINDS.flights());
    await requestApply(db, { ...admin, member: admin }, id, NO_OPTIONS);
    expect(await findRequested(db)).toEqual([{ id, schoolId }]);
    await db.updateTable('imports').set({ attempts: 3 }).where('id', '=', id).execute();
    await runImport({ work: db, progress: db }, { id, schoolId });
    expect(await requireImport(db, schoolId, id)).toMatchObject({
      state: 'uploaded',
      requested: null,
      failure: expect.stringContaining('several times'),
    });
    expect(await apply(db, admin, id)).toMatchObject({ state: 'applied' });
    expect(await findRequested(db)).toEqual([]);
  });

  it('a file whose import was asked for, or is done, is neither changed nor removed (B830, C93)', async () => {
    const { id } = await upload(db, admin, 'squawks', ['N1,Radio,,,2026-05-02T12:00:00Z,']);
    const { columns, formats } = await requireImport(db, schoolId, id);
    const refused = { code: 'conflict', message: 'This file was imported already, or is being imported.' };
    const expectRefused = async () => {
      const change = { columns, formats, options: { ...NO_OPTIONS, leaveOutRefused: true } };
      await expect(changeImport(db, admin, id, change)).rejects.toMatchObject(refused);
      await expect(removeImport(db, admin, id)).rejects.toMatchObject(refused);
    };
    await requestApply(db, { ...admin, member: admin }, id, NO_OPTIONS);
    await expectRefused();
    await runImport({ work: db, progress: db }, { id, schoolId });
    expect(await requireImport(db, schoolId, id)).toMatchObject({ state: 'applied', requested: null, failure: null });
    await expectRefused();
  });

  it('that is refused or taken back leaves the others of its school (B830, C93)', async () => {
    const waiting = await upload(db, admin, 'squawks', ['N1,Radio,,,2026-05-02T12:00:00Z,']);
    await requestApply(db, { ...admin, member: admin }, waiting.id, NO_OPTIONS);
    const refused = await importLines(db, admin, 'fleet', ['N7,Piper,PA-28,old,,']);
    expect(refused).toMatchObject({ state: 'uploaded', requested: null, failure: expect.any(String) });
    expect(await requireImport(db, schoolId, waiting.id)).toMatchObject({ requested: 'apply', failure: null });
    const kept = await importLines(db, admin, 'fleet', ['N8,Piper,PA-28,1999,,']);
    const { id } = await importLines(db, admin, 'fleet', ['N9,Piper,PA-28,1999,,']);
    expect((await undo(db, admin, id)).state).toBe('undone');
    expect((await requireImport(db, schoolId, kept.id)).state).toBe('applied');
    expect(await requireImport(db, schoolId, waiting.id)).toMatchObject({ state: 'uploaded', requested: 'apply' });
  });

  it('a file that was never imported is deleted after a week, unless it waits for its turn (B986, C93)', async () => {
    const names = ['waiting', 'forgotten', 'fresh'];
    const ids: number[] = [];
    for (const name of names) ids.push((await upload(db, admin, 'flights', KINDS.flights(), `${name}.csv`)).id);
    const [waiting = 0, forgotten = 0] = ids;
    await requestApply(db, { ...admin, member: admin }, waiting, NO_OPTIONS);
    await sql`update imports set created_at = now() - ${UPLOADED_IMPORT_KEPT_DAYS} * interval '1 day'
      where id in (${waiting}, ${forgotten})`.execute(db);
    await deleteOldImports(db);
    const left = await db.selectFrom('imports').select('file_name').where('school_id', '=', schoolId).execute();
    expect(left.map(({ file_name }) => file_name).toSorted()).toEqual(['fresh.csv', 'waiting.csv']);
    expect(await apply(db, admin, waiting)).toMatchObject({ state: 'applied' });
  });

  it('a check-out at the same time comes before it or after it, and both are whole (B831, C93)', async () => {
    const { id } = await upload(db, admin, 'flights', KINDS.flights());
    const input = { aircraftId: aircraft, startHobbsTime: '102.0', startTachTime: '102.5' };
    const pool = connect(url, { max: 6, lockTimeoutMs: 30_000 });
    const [, started] = await Promise.all([apply(pool, admin, id), startFlight(pool, pilot, input)]);
    await completeFlight(pool, pilot, started.id, { endHobbsTime: '103.0', endTachTime: '103.5' });
    await pool.destroy();
    const { flight_logs, aircraft: fleet } = await contents();
    expect(flight_logs).toHaveLength(3);
    expect(fleet).toMatchObject([{ last_hobbs: '103.0', last_tach: '103.5' }]);
    expect(await findFaults(db)).toEqual([]);
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

  const waitersOf = async (pool: Db) =>
    (
      await sql`select 1 from pg_locks where locktype = 'advisory' and classid = 1 and objid = ${schoolId} and not granted`.execute(
        pool,
      )
    ).rows;

  it('a check-out and its check-in wait for no import that is writing, and their readings are kept (B950, C93)', async () => {
    const { id } = await upload(db, admin, 'flights', KINDS.flights());
    const fly = async (pool: Db) => {
      const input = { aircraftId: aircraft, startHobbsTime: '102.0', startTachTime: '102.5' };
      const { id: flown } = await startFlight(pool, pilot, input);
      await completeFlight(pool, pilot, flown, { endHobbsTime: '103.0', endTachTime: '103.5' });
    };
    await whileWriting(id, fly);
    const { flight_logs, aircraft: fleet } = await contents();
    expect(flight_logs).toHaveLength(3);
    expect(fleet).toMatchObject([{ last_hobbs: '103.0', last_tach: '103.5' }]);
    expect(await requireImport(db, schoolId, id)).toMatchObject({ state: 'applied', preview: { added: 2 } });
  });

  it('an import that fits no more once it is written is planned again, and refused as a whole (B951, C93)', async () => {
    const { id } = await upload(db, admin, 'flights', KINDS.flights());
    const flyBelow = async (pool: Db) => {
      const started = await startFlight(pool, pilot, {
        aircraftId: aircraft,
        startHobbsTime: '50.0',
        startTachTime: '50.5',
      });
      await completeFlight(pool, pilot, started.id, { endHobbsTime: '51.0', endTachTime: '51.5' });
    };
    await whileWriting(id, flyBelow);
    expect((await contents()).flight_logs).toHaveLength(1);
    const refused = await requireImport(db, schoolId, id);
    expect(refused).toMatchObject({ state: 'uploaded', requested: null });
    expect(refused.failure).toContain('1 row is refused. Row 3, Hobbs End: 102.00 Hobbs is above 50.00');
  });

  it('an aircraft that is deleted while its flights are written gets none of them (B951, C93)', async () => {
    const { id } = await upload(db, admin, 'flights', KINDS.flights());
    await whileWriting(id, (pool) =>
      pool.updateTable('aircraft').set({ deleted_at: new Date() }).where('id', '=', aircraft).execute(),
    );
    expect((await contents()).flight_logs).toEqual([]);
    expect((await requireImport(db, schoolId, id)).failure).toContain('N1 is not in the fleet');
  });

  it('whoever is no administrator any more imports nothing (B832, C93)', async () => {
    const { id } = await upload(db, admin, 'flights', KINDS.flights());
    await requestApply(db, { ...admin, member: admin }, id, NO_OPTIONS);
    await db.updateTable('users').set({ role: 'student' }).where('id', '=', admin.id).execute();
    await runImport({ work: db, progress: db }, { id, schoolId });
    expect(await requireImport(db, schoolId, id)).toMatchObject({ state: 'uploaded', failure: 'Forbidden' });
    expect((await contents()).flight_logs).toEqual([]);
    await expect(upload(db, pilot, 'flights', [])).rejects.toThrow();
  });

  it('flights bring no mail, and unsafe squawks neither (B832, C93)', async () => {
    await importLines(db, admin, 'flights', KINDS.flights());
    await importLines(db, admin, 'squawks', linesOf('squawks'));
    expect((await contents()).mail_outbox).toEqual([]);
  });
});

describe('what is refused', () => {
  const refusals = async (kind: Kind, lines: string[], options = NO_OPTIONS) =>
    (await previewImport(db, { schoolId, timeZone: 'UTC' }, fileOf(kind, lines), kind, options)).preview;

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

  it('another year of an aircraft is a change, brought in where no row is new and others are left out (B826, C93)', async () => {
    await importLines(db, admin, 'fleet', ['N1,Cessna,172R,1998,,']);
    const lines = ['N1,Cessna,172R,1999,,', 'N1,Cessna,172R,2000,,'];
    const done = await importLines(db, admin, 'fleet', lines, { leaveOutRefused: true });
    expect(done).toMatchObject({ state: 'applied', preview: { added: 0, changed: 1, present: 0, refused: 1 } });
    expect((await contents()).aircraft).toMatchObject([{ make: 'Cessna', model: '172R', year: 1999 }]);
  });

  it('a squawk is known by the minute in which it was reported (B826, C93)', async () => {
    const reported = {
      aircraft_id: aircraft,
      user_id: pilot.id,
      text: 'Radio',
      created_at: new Date('2026-05-01T12:00:30Z'),
    };
    await db
      .insertInto('squawks')
      .values({ school_id: schoolId, ...reported })
      .execute();
    const preview = await refusals('squawks', ['N1,Radio,,open,2026-05-01T12:00:00Z,']);
    expect(preview).toMatchObject({ added: 0, present: 1 });
  });

  it('readings on both sides of a known meter change are not compared, at whatever moment it stands (B834, C93)', async () => {
    const change = { meter_type: 'hobbs', reason: 'replaced', old_last: '101.0', first_reading: '5.0' } as const;
    const where = { school_id: schoolId, aircraft_id: aircraft, declared_by: admin.id };
    const refusedWith = async (started_at: string) => {
      await db.deleteFrom('meter_segments').where('reason', '=', 'replaced').execute();
      await db
        .insertInto('meter_segments')
        .values({ ...where, ...change, started_at: new Date(started_at) })
        .execute();
      return (await refusals('flights', [flight(1, 100), flight(3, 5)])).refused;
    };
    for (const within of ['2026-05-01T10:30:00Z', '2026-05-02T12:00:00Z', '2026-05-03T10:30:00Z'])
      expect({ within, refused: await refusedWith(within) }).toEqual({ within, refused: 0 });
    expect(await refusedWith('2026-04-30T12:00:00Z')).toBe(1);
  });

  it('an inspection is known in other letters, too (B826, C93)', async () => {
    await importLines(db, admin, 'inspections', ['N1,Annual,,2027-03-01,,12']);
    const again = await importLines(db, admin, 'inspections', ['N1,ANNUAL,,2027-03-01,,12']);
    expect(again.preview).toMatchObject({ added: 0, present: 1 });
  });

  it('a flight with the number that another system gave to a flight of another day is new (B826, C93)', async () => {
    const numbered = async (line: string) => {
      const { content } = fileOf('flights', [line]);
      const text = content.toString().replace('Aircraft', 'Flight ID,Aircraft').replace('\nN1', '\nF-1,N1');
      const file = { content: Buffer.from(text), name: 'club.csv' };
      const { id } = await uploadImport(db, { ...admin, member: admin }, file, 'flights');
      return apply(db, admin, id);
    };
    expect((await numbered(flight(10, 100))).preview).toMatchObject({ added: 1, present: 0 });
    expect((await numbered(flight(20, 101))).preview).toMatchObject({ added: 1, present: 0 });
  });

  it('readings below earlier ones and flights at the same time need a tick; unlogged hours are a remark (B834, C93)', async () => {
    await importLines(db, admin, 'flights', [flight(10, 100)]);
    const lines = [flight(9, 105), flight(11, 90), flight(12, 120), flight(12, 121)];
    const preview = await refusals('flights', lines);
    expect(preview.problems.map(({ row, column }) => [row, column])).toEqual([
      [2, 'Hobbs End'],
      [2, 'Tach End'],
      [3, 'Hobbs Start'],
      [3, 'Tach Start'],
      [5, 'Started'],
    ]);
    expect(preview.problems[2]?.message).toBe(
      '90.00 Hobbs is below 101.00, the reading before it (10 May 2026, 11:00 UTC).',
    );
    expect(preview.remarks.map(({ row, message }) => `${row} ${message}`)).toContain(
      '4 29.00 h of Hobbs are not logged before this flight.',
    );
    const done = await importLines(db, admin, 'flights', lines, { oddReadings: true });
    expect(done).toMatchObject({ state: 'applied', preview: { added: 4, refused: 0 } });
  });

  it('people: a name that another school has, one address twice, and administrators without a tick (B833, C93)', async () => {
    const taken = await makeUser(db, await makeSchool(db), 'student');
    const lines = [
      `${taken.username},,new@club.example,student`,
      `otto${schoolId},,otto@club.example,student`,
      `otilie${schoolId},,OTTO@club.example,student`,
      `boss${schoolId},,boss@club.example,administrator`,
      `${pilot.username.toUpperCase()},,other@club.example,instructor`,
    ];
    const preview = await refusals('people', lines);
    expect(preview).toMatchObject({ added: 1, present: 1, refused: 3 });
    expect(preview.problems.map(({ row, column }) => [row, column])).toEqual([
      [2, 'username'],
      [4, 'username'],
      [5, 'role'],
    ]);
    const same = await refusals('people', [`${pilot.username},,other@club.example,student`]);
    expect([preview.remarks, same.remarks]).toEqual([
      [{ row: 6, column: 'role', message: `${pilot.username} keeps the role they have here.` }],
      [],
    ]);
    const ticked = await refusals('people', lines, { ...NO_OPTIONS, administrators: true });
    expect(ticked).toMatchObject({ added: 2, refused: 2 });
  });

  it('every reason of a long file is found, not only those that are shown (B833, C93)', async () => {
    const { id } = await upload(
      db,
      admin,
      'squawks',
      Array.from({ length: 150 }, () => 'N9,Radio,,open,2026-05-01,'),
    );
    expect((await requireImport(db, schoolId, id)).preview).toMatchObject({ refused: 150, problems: { length: 100 } });
    expect((await findProblems(db, admin, id)).problems).toHaveLength(150);
  });
});

describe('undoing an import', () => {
  it('is refused in words once a flight of it was corrected (B827, C93)', async () => {
    const { id } = await importLines(db, admin, 'flights', KINDS.flights());
    const [first] = (await contents()).flight_logs ?? [];
    const input = { startHobbsTime: '99.0', startTachTime: '100.5', endHobbsTime: '101.0', endTachTime: '101.5' };
    const correction = { ...input, reason: 'Misread' };
    const { digest } = await previewCorrection(db, admin, Number(first?.id), correction);
    await correctReadings(db, admin, Number(first?.id), correction, digest);
    const refused = await undo(db, admin, id);
    expect(refused).toMatchObject({
      state: 'applied',
      failure: 'N1 of 2026-05-01 10:00 was corrected since, so that the import cannot be undone.',
    });
    expect((await contents()).flight_logs).toHaveLength(2);
    expect(await importLines(db, admin, 'flights', KINDS.flights())).toMatchObject({
      preview: { added: 0, present: 2 },
    });
  });

  it('is refused in words where flights of its aircraft or people, or changes of its squawks, came since (B827, C93)', async () => {
    const fleet = await importLines(db, admin, 'fleet', ['N2,Cessna,152,1980,,']);
    const people = await importLines(db, admin, 'people', [`otto${schoolId},,otto@club.example,student`]);
    const squawks = await importLines(db, admin, 'squawks', ['N2,Radio,,open,2026-05-01T12:00:00Z,']);
    const flights = await importLines(db, admin, 'flights', [
      flight(1, 100, { tail: 'N2' }).replace(pilot.username, 'otto@club.example'),
    ]);
    const [squawk] = (await contents()).squawks ?? [];
    await changeSquawk(db, admin, Number(squawk?.id), { state: 'fixed', remark: 'New radio' });
    const failures = [];
    for (const { id } of [fleet, people, squawks]) failures.push((await undo(db, admin, id)).failure);
    expect(failures).toEqual([
      'club.csv was imported since and changed the same records. Undo that import first.',
      `otto${schoolId} has got flights since, so that the import cannot be undone.`,
      "'Radio' was changed since, so that the import cannot be undone.",
    ]);
    expect((await undo(db, admin, flights.id)).state).toBe('undone');
    expect((await undo(db, admin, people.id)).state).toBe('undone');
  });

  it('is refused in words once somebody of it has instructed (B827, C93)', async () => {
    const otto = `otto${schoolId}`;
    const people = await importLines(db, admin, 'people', [`${otto},,otto@club.example,instructor`]);
    const lesson = await importLines(db, admin, 'flights', [flight(1, 100).replace(',,', `,${otto},`)]);
    expect(lesson.state).toBe('applied');
    expect((await undo(db, admin, people.id)).failure).toBe(
      `${otto} has got flights since, so that the import cannot be undone.`,
    );
  });

  it('a flight flown since keeps its readings (B827, C93)', async () => {
    const { id } = await importLines(db, admin, 'flights', KINDS.flights());
    const started = await startFlight(db, pilot, {
      aircraftId: aircraft,
      startHobbsTime: '102.0',
      startTachTime: '102.5',
    });
    await completeFlight(db, pilot, started.id, { endHobbsTime: '103.0', endTachTime: '103.5' });
    expect(await undo(db, admin, id)).toMatchObject({ state: 'undone' });
    expect((await contents()).aircraft).toMatchObject([{ last_hobbs: '103.0', last_tach: '103.5' }]);
  });
});

describe('imported people', () => {
  it('get no mail and no password that anybody knows, until an administrator sends a link (B815, C93)', async () => {
    await importLines(db, admin, 'people', linesOf('people'));
    const { users, mail_outbox, password_links } = await contents();
    expect(users?.find(({ username }) => username === `otto${schoolId}`)).toMatchObject({
      name: 'Otto Öl',
      role: 'instructor',
      password_generation: 0,
    });
    expect([mail_outbox, password_links]).toEqual([[], []]);
  });

  it('get one invitation each with a link to choose a password, where that is ticked (B815, C93)', async () => {
    await importLines(db, admin, 'people', linesOf('people'), { sendInvitations: true });
    const { mail_outbox, password_links } = await contents();
    expect(mail_outbox).toMatchObject([
      { to_name: 'Otto Öl', to_address: 'otto@club.example', subject: 'Your account at Cascade Flight School' },
      { to_name: `pia${schoolId}`, to_address: 'pia@club.example' },
    ]);
    expect(mail_outbox?.[0]?.body_text).toContain('as an instructor. Your username is otto');
    expect(password_links).toHaveLength(2);
  });

  it('are not invited beyond what a school may mail in an hour (B985, C93)', async () => {
    const letter = (at: number) => `person.${[...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
    const lines = Array.from(
      { length: MAX_MAILS_OF_SCHOOL + 1 },
      (_, at) => `${letter(at)},,${letter(at)}@club.example,student`,
    );
    const refused = await importLines(db, admin, 'people', lines, { sendInvitations: true });
    expect(refused).toMatchObject({
      state: 'uploaded',
      failure: expect.stringContaining(`At most ${MAX_MAILS_OF_SCHOOL} invitations`),
    });
    expect((await contents()).mail_outbox).toEqual([]);
  });
});
