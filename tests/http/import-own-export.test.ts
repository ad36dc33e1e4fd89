import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { findFaults } from '#db/doctor/find-faults.ts';
import { parseRows } from '#app/domain/imports/values/parse-rows.server.ts';
import { correctFlight } from '#app/domain/flights/correction/correct-flight.server.ts';
import { previewImport, uploadImport } from '#app/domain/imports/upload-import.server.ts';
import { loader } from '#app/routes/api.flight-logs.export.ts';
import { testDatabase } from '#tests/support/database.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { apply, undo } from '#tests/support/imports/files.ts';
import { readingOf } from '#tests/support/imports/read.ts';
import { call, cookieOf, getRequest } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const timeZone = 'America/Los_Angeles';
const schoolId = await makeSchool(db, { time_zone: timeZone });
const admin = await makeUser(db, schoolId, 'administrator');
const anna = await makeUser(db, schoolId, 'student', '=anna');
const ivan = await makeUser(db, schoolId, 'instructor', 'ivan');
const aircraftId = await makeAircraft(db, schoolId, { tail_number: '-N512FL' });

/** Columns that say of other records, or are made of other columns; whatever else is exported comes in again. */
const NOT_READ = [
  ...['make', 'model', 'pilot email', 'instructor hours', 'oil added', 'corrected', 'block hours'],
  ...['pilot id', 'instructor id', 'aircraft id', 'tail number with years'],
];

describe('the export of flights, imported', () => {
  it('every column of an exported flight is read as it was, and an open flight is refused (B814, B1215)', async () => {
    const lesson = await makeFlight(db, anna, aircraftId, {
      ...completed('2026-05-12T21:05:07Z', '2026-05-12T22:35:00Z'),
      ...{ instructor_id: ivan.id, instructor_time_in: '14:00', instructor_time_out: '15:55' },
      ...{ ground_school_time: '0.75', notes: '=1+1 was in the logbook,\n"quoted"; Öl', start_hobbs: '100.00' },
    });
    await db
      .insertInto('fuel_records')
      .values({ school_id: schoolId, flight_log_id: lesson, refueled: true, oil_added: true, oil_quantity: '1.5' })
      .execute();
    // In the hour that comes twice.
    const night = await makeFlight(db, anna, aircraftId, completed('2025-11-02T08:50:00Z', '2025-11-02T09:10:00Z'));
    const open = await makeFlight(db, ivan, aircraftId);

    const answer = await loader(call(getRequest('/api/flight-logs/export', await cookieOf(db, admin))));
    const reading = await readingOf({ content: new Uint8Array(await answer.arrayBuffer()) }, null);
    expect([reading.kind, reading.questions]).toEqual(['flights', []]);
    const { part } = reading;
    expect(reading.columns.filter(({ field }) => field === null).map(({ heading }) => heading)).toEqual(NOT_READ);
    const { records, problems } = await parseRows({ ...reading, kind: 'flights' as const }, { timeZone });

    expect(records.toSorted((a, b) => Number(a.sourceId) - Number(b.sourceId))).toEqual([
      {
        ...{ row: expect.any(Number), sourceId: String(lesson), tailNumber: '-N512FL', pilot: '=anna' },
        ...{ startedAt: new Date('2026-05-12T21:05:07Z'), completedAt: new Date('2026-05-12T22:35:00Z') },
        ...{ startHobbs: '100.00', endHobbs: '101.2', startTach: '90.0', endTach: '91.0', untimed: null },
        endedWithin: 60_000,
        ...{ departedAt: null, landedAt: null, meterChanges: undefined, readingFlags: undefined, doubts: [] },
        ...{ instructor: 'ivan', instructorTimeIn: '14:00', instructorTimeOut: '15:55', groundSchoolTime: '0.75' },
        ...{ oilQuarts: '1.5', refueled: true, fuelNotes: '', notes: '=1+1 was in the logbook,\n"quoted"; Öl' },
      },
      expect.objectContaining({
        ...{ startedAt: new Date('2025-11-02T08:50:00Z'), completedAt: new Date('2025-11-02T09:10:00Z') },
        ...{
          sourceId: String(night),
          instructor: undefined,
          oilQuarts: undefined,
          refueled: false,
          fuelNotes: '',
          notes: '',
        },
      }),
    ]);
    const openRow = part.rows.find(({ cells }) => cells[0] === String(open))?.number;
    expect(problems).toEqual([
      { row: openRow, column: 'status', message: expect.stringContaining('This flight is open.') },
    ]);
  });

  it('imported again it is all there, with corrections, lessons, meters, oil and who left; nothing differs (B1642)', async () => {
    const school = await makeSchool(db, { time_zone: timeZone });
    const chief = await makeUser(db, school, 'administrator', `chief${school}`);
    const teacher = await makeUser(db, school, 'instructor', `teacher${school}`);
    const gone = await makeUser(db, school, 'student', `gone${school}`);
    const aircraft = await makeAircraft(db, school, { tail_number: 'N1' });
    const ids: number[] = [];
    const notes = ['Line\nbreak, "quoted"; Öl', '=1+1', "'=quoted", '-5', '  ', '@home\r\nagain'];
    for (const [at, note] of notes.entries()) {
      const day = `2026-05-${String(at + 1).padStart(2, '0')}`;
      const start = at === 1 ? '100.05' : `${100 + at}.0`;
      ids.push(
        await makeFlight(db, at === 3 ? gone : chief, aircraft, {
          ...{
            created_at: new Date(`${day}T10:00:40.123Z`),
            completed_at: new Date(`${day}T11:00:50.9Z`),
            notes: note,
          },
          ...{ start_hobbs: start, end_hobbs: `${101 + at}.0`, start_tach: start, end_tach: `${101 + at}.0` },
          ...{ instructor_id: teacher.id, instructor_time_in: '02:50', instructor_time_out: '04:10' },
          ground_school_time: '0.75',
          ...(at === 4 && { departed_at: new Date(`${day}T09:50:00Z`), landed_at: new Date(`${day}T10:59:30.5Z`) }),
        }),
      );
    }
    const [lesson = 0, corrected = 0] = ids;
    const fuel = { school_id: school, flight_log_id: lesson, oil_added: true, oil_quantity: '0.3', notes: 'Full' };
    await db
      .insertInto('fuel_records')
      .values([fuel, { ...fuel, refueled: true }])
      .execute();
    const end = { endHobbsTime: '102.1', endTachTime: '102.1', reason: 'Misread' };
    await correctFlight(db, chief, corrected, {
      ...end,
      instructorId: null,
      groundSchoolTime: '1',
      notes: 'New\nnote',
    });
    await db
      .updateTable('users')
      .set({ name: 'Gone Away', deleted_at: new Date(), password_hash: null })
      .where('id', '=', gone.id)
      .execute();
    const untimed = 'Date,Aircraft,Pilot,Hobbs Start,Hobbs End,Tach Start,Tach End,Notes';
    const line = (pilot: string, hobbs: number) =>
      `2026-05-20,N1,${pilot},${hobbs},${hobbs + 1},${hobbs},${hobbs + 1},`;
    const csv = [untimed, line(chief.username, 106), line(teacher.username, 107)].join('\n');
    const file = { content: Buffer.from(csv), name: 'a.csv' };
    const { id } = await uploadImport(db, { ...chief, member: chief }, file, 'flights');
    expect(await apply(db, chief, id, { oddReadings: true })).toMatchObject({ preview: { added: 2 } });

    const answer = await loader(call(getRequest('/api/flight-logs/export', await cookieOf(db, chief))));
    const exported = { content: Buffer.from(await answer.arrayBuffer()), name: 'flights.csv' };
    const { rows, present, ...others } = await previewImport(db, chief, exported, 'flights');
    const none = { added: 0, changed: 0, different: 0, refused: 0, differences: [], problems: [], skipped: [] };
    expect({ rows, present, ...others }).toMatchObject({ rows: 8, present: 8, ...none });
  });

  it('an imported export gives the same hours, times, meters, fuel and flags, and undone leaves none (B957, B1691)', async () => {
    const school = await makeSchool(db, { time_zone: timeZone });
    const chief = await makeUser(db, school, 'administrator', `chief${school}`);
    const aircraft = await makeAircraft(db, school, { tail_number: 'N1' });
    const flag = { meter: 'tachometer', at: 'end', kind: 'other meter', reading: '0.6', last: '100.50' } as const;
    const changed = await makeFlight(db, chief, aircraft, {
      ...completed('2026-05-12T10:00:00Z', '2026-05-12T12:00:00Z'),
      ...{ departed_at: new Date('2026-05-12T09:50:00Z'), landed_at: new Date('2026-05-12T11:40:00Z') },
      ...{ start_hobbs: '9999.5', end_hobbs: '0.4', hobbs_old_last: '9999.9', hobbs_new_first: '0.0' },
      ...{ start_tach: '90.0', end_tach: '0.6', tach_old_last: '90.25', tach_new_first: '0.1' },
      ...{ completed_by: chief.id, reading_flags: JSON.stringify([flag]) },
    });
    const segment = { school_id: school, aircraft_id: aircraft, flight_log_id: changed, declared_by: chief.id };
    const at = new Date('2026-05-12T12:00:00Z');
    for (const [meter_type, reason, old_last, first_reading] of [
      ['hobbs', 'rolled over', '9999.9', '0.0'],
      ['tachometer', 'replaced', '90.25', '0.1'],
    ] as const) {
      const change = { meter_type, reason, old_last, first_reading, started_at: at, remark: '9; tach (old)' };
      await db
        .insertInto('meter_segments')
        .values({ ...segment, ...change })
        .execute();
    }
    const fuel = { school_id: school, flight_log_id: changed, notes: '=12 gal' };
    await db.insertInto('fuel_records').values(fuel).execute();
    const next = { start_hobbs: '0.4', end_hobbs: '1.4', start_tach: '0.6', end_tach: '1.5', completed_by: chief.id };
    await makeFlight(db, chief, aircraft, { ...completed('2026-05-13T10:00:00Z', '2026-05-13T11:00:00Z'), ...next });
    const shown = async () => {
      const { rows: flights } =
        await sql`select created_at, completed_at, departed_at, landed_at, start_hobbs, end_hobbs,
        hobbs_hours, hobbs_old_last, hobbs_new_first, start_tach, end_tach, tach_hours, tach_old_last, tach_new_first,
        reading_flags from flight_logs where school_id = ${school} order by created_at`.execute(db);
      const { rows: segments } = await sql`select meter_type, reason, old_last, first_reading, started_at, remark
        from meter_segments where school_id = ${school} and reason <> 'new aircraft' order by meter_type`.execute(db);
      const supplies = db.selectFrom('fuel_records').select(['refueled', 'oil_quantity', 'notes']);
      return { flights, segments, fuel: await supplies.where('school_id', '=', school).execute() };
    };
    const before = await shown();
    expect(before).toMatchObject({
      flights: [{ hobbs_hours: '0.80', tach_hours: '0.75' }, {}],
      segments: [{}, {}],
      fuel: [{}],
    });

    const answer = await loader(call(getRequest('/api/flight-logs/export', await cookieOf(db, chief))));
    const file = { content: Buffer.from(await answer.arrayBuffer()), name: 'flights.csv' };
    await db.deleteFrom('meter_segments').where('flight_log_id', '=', changed).execute();
    await db.deleteFrom('fuel_records').where('school_id', '=', school).execute();
    await db.deleteFrom('flight_logs').where('school_id', '=', school).execute();
    const { id } = await uploadImport(db, { ...chief, member: chief }, file, 'flights');
    expect(await apply(db, chief, id)).toMatchObject({ state: 'applied', preview: { added: 2, refused: 0 } });
    expect(await shown()).toEqual(before);
    const named = (await findFaults(db)).flatMap((fault) => fault.named);
    expect(named.filter((name) => name.includes(`school ${school}:`))).toEqual([]);
    expect((await undo(db, chief, id)).state).toBe('undone');
    expect(await shown()).toEqual({ flights: [], segments: [], fuel: [] });
  });
});
