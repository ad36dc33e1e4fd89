import { describe, expect, it } from 'vitest';
import { guessColumns } from '#app/domain/imports/columns/guess-columns.ts';
import { guessFormats } from '#app/domain/imports/columns/guess-formats.ts';
import { guessKind } from '#app/domain/imports/columns/guess-kind.ts';
import { readImportTable } from '#app/domain/imports/files/read-import-table.server.ts';
import { parseRows } from '#app/domain/imports/values/parse-rows.server.ts';
import { loader } from '#app/routes/api.flight-logs.export.ts';
import { testDatabase } from '#tests/support/database.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { call, cookieOf, getRequest } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const timeZone = 'America/Los_Angeles';
const schoolId = await makeSchool(db, { time_zone: timeZone });
const admin = await makeUser(db, schoolId, 'administrator');
const anna = await makeUser(db, schoolId, 'student', '=anna');
const ivan = await makeUser(db, schoolId, 'instructor', 'ivan');
const aircraftId = await makeAircraft(db, schoolId, { tail_number: '-N512FL' });

describe('the export of flights, imported', () => {
  it('B814: every completed flight of an export is read as it was, and an open one is refused', async () => {
    const lesson = await makeFlight(db, anna, aircraftId, {
      ...completed('2026-05-12T21:05:07Z', '2026-05-12T22:35:00Z'),
      instructor_id: ivan.id,
      instructor_time_in: '14:00',
      instructor_time_out: '15:55',
      ground_school_time: '0.75',
      notes: '=1+1 was in the logbook,\n"quoted"; Öl',
      start_hobbs: '100.00',
    });
    await db
      .insertInto('fuel_records')
      .values({ school_id: schoolId, flight_log_id: lesson, refueled: true, oil_added: true, oil_quantity: '1.5' })
      .execute();
    // In the hour that comes twice.
    const night = await makeFlight(db, anna, aircraftId, completed('2025-11-02T08:50:00Z', '2025-11-02T09:10:00Z'));
    const open = await makeFlight(db, ivan, aircraftId);

    const answer = await loader(call(getRequest('/api/flight-logs/export', await cookieOf(db, admin))));
    const table = await readImportTable(new Uint8Array(await answer.arrayBuffer()), 'flights.csv');
    expect(guessKind(table)).toBe('flights');
    const columns = guessColumns('flights', table);
    const { records, problems } = parseRows('flights', table, columns, guessFormats(table, columns), { timeZone });

    expect(records.toSorted((a, b) => Number(a.sourceId) - Number(b.sourceId))).toEqual([
      {
        row: expect.any(Number),
        sourceId: String(lesson),
        tailNumber: '-N512FL',
        pilot: '=anna',
        instructor: 'ivan',
        startedAt: new Date('2026-05-12T21:05:07Z'),
        completedAt: new Date('2026-05-12T22:35:00Z'),
        startHobbs: '100.00',
        endHobbs: '101.2',
        startTach: '90.0',
        endTach: '91.0',
        instructorTimeIn: '14:00',
        instructorTimeOut: '15:55',
        groundSchoolTime: '0.75',
        oilQuarts: '1.5',
        refueled: true,
        notes: '=1+1 was in the logbook,\n"quoted"; Öl',
      },
      expect.objectContaining({
        sourceId: String(night),
        startedAt: new Date('2025-11-02T08:50:00Z'),
        completedAt: new Date('2025-11-02T09:10:00Z'),
        instructor: null,
        oilQuarts: null,
        refueled: false,
        notes: '',
      }),
    ]);
    const openRow = table.rows.find(({ cells }) => cells[0] === String(open))?.number;
    expect(problems).toEqual([
      { row: openRow, column: 'status', message: expect.stringContaining('This flight is open.') },
    ]);
  });
});
