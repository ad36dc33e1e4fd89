import { expect, it } from 'vitest';
import { previewCorrection } from '#app/domain/flights/correction/correct-flight.server.ts';
import { declareMeterChange } from '#app/domain/readings/declare-meter-change.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const admin = await makeUser(db, schoolId, 'administrator');
const pilot = await makeUser(db, schoolId);

it('after two changes of a meter a corrected start is held against the newest meter (C82)', async () => {
  const aircraftId = await makeAircraft(db, schoolId, { last_hobbs: '101.2', last_tach: '91.0' });
  await makeFlight(db, pilot, aircraftId, completed('2026-05-12T10:00:00Z', '2026-05-12T11:00:00Z'));
  const change = { meter: 'hobbs', reason: 'replaced' } as const;
  await declareMeterChange(db, admin, aircraftId, { ...change, oldLast: '101.2', newFirst: '0.0' });
  await declareMeterChange(db, admin, aircraftId, { ...change, oldLast: '0.5', newFirst: '9000.0' });
  const id = await makeFlight(db, pilot, aircraftId, { start_hobbs: '9000.0', start_tach: '91.0' });
  const corrected = (startHobbsTime: string) =>
    previewCorrection(db, pilot, id, { startHobbsTime, startTachTime: '91.0', reason: 'Misread' });
  expect((await corrected('9000.1')).oddReadings).toEqual([]);
  expect((await corrected('9000.5')).oddReadings).toMatchObject([{ meter: 'hobbs', kind: 'gap', last: '9000.0' }]);
});
