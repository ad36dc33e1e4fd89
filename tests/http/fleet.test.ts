import { describe, expect, it } from 'vitest';
import { loader } from '#app/routes/airplanes._index/route.tsx';
import { testDatabase } from '#tests/support/database.ts';
import { call, cookieOf, getRequest } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

async function fleetFor(user: { id: number }) {
  return loader(call(getRequest('/airplanes', await cookieOf(db, user))));
}

describe('the fleet', () => {
  it('the fleet is every aircraft of the school, by tail number, with its status (B081, B083, B084, B085, B233)', async () => {
    const schoolId = await makeSchool(db);
    const student = await makeUser(db, schoolId);
    await makeAircraft(db, await makeSchool(db), { tail_number: 'N0ELSE' });
    await makeAircraft(db, schoolId, { tail_number: 'N9GONE', deleted_at: new Date() });
    await makeAircraft(db, schoolId, { tail_number: 'N3FIX', maintenance_since: new Date() });
    await makeAircraft(db, schoolId, { tail_number: 'N1OK', last_hobbs: '1234.50', last_tach: '1180.3' });
    const out = await makeAircraft(db, schoolId, { tail_number: 'N2OUT', maintenance_since: new Date() });
    await db
      .insertInto('flight_logs')
      .values({ school_id: schoolId, aircraft_id: out, user_id: student.id, start_hobbs: '1', start_tach: '1' })
      .execute();
    const { fleet } = await fleetFor(student);
    expect(fleet.value).toMatchObject([
      { tailNumber: 'N1OK', make: 'Cessna', model: '172S', year: 2004, status: null },
      { tailNumber: 'N2OUT', status: 'checked_out', lastHobbsTime: null, lastTachTime: null },
      { tailNumber: 'N3FIX', status: 'maintenance' },
    ]);
    expect(fleet.value?.[0]).toMatchObject({ lastHobbsTime: '1234.50', lastTachTime: '1180.3' });
  });

  it('the fleet offers only administrators to add an aircraft (B080, C30)', async () => {
    const schoolId = await makeSchool(db);
    expect((await fleetFor(await makeUser(db, schoolId, 'administrator'))).canManage).toBe(true);
    expect((await fleetFor(await makeUser(db, schoolId, 'instructor'))).canManage).toBe(false);
    expect((await fleetFor(await makeUser(db, schoolId, 'student'))).canManage).toBe(false);
  });

  it('the fleet is empty for a user without a school (C36)', async () => {
    await makeAircraft(db, await makeSchool(db));
    const user = await makeUser(db, await makeSchool(db), 'administrator');
    await db.updateTable('users').set({ school_id: null }).where('id', '=', user.id).execute();
    expect((await fleetFor(user)).fleet).toEqual({ value: [], failure: null });
  });

  it('a fleet that cannot be read says so on a page that still renders (B298)', async () => {
    const user = await makeUser(db, await makeSchool(db), 'administrator');
    await db.schema.alterTable('aircraft').renameTo('aircraft_away').execute();
    try {
      expect(await fleetFor(user)).toMatchObject({
        fleet: { value: null, failure: 'Failed to fetch aircraft' },
        canManage: true,
      });
    } finally {
      await db.schema.alterTable('aircraft_away').renameTo('aircraft').execute();
    }
  });
});
