import { expect, it } from 'vitest';
import { findConfirmedPhotos } from '#app/domain/meters/confirmed-photos.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { insertScannedPhoto } from '#tests/support/scanned-photo.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

it('a photo is an example of its reading once a flight has it, unless the check-out was cancelled (C20)', async () => {
  const pilot = await makeUser(db, await makeSchool(db));
  const aircraftId = await makeAircraft(db, pilot.schoolId, { tail_number: 'N512FL' });
  const scan = (bytes: string) =>
    insertScannedPhoto(db, pilot, { aircraftId, meterType: 'hobbs', detected: '1234.5', bytes });
  await scan('in no flight');
  const cancelled = { voided_at: new Date(), voided_by: pilot.id, void_reason: 'Rain' };
  await makeFlight(db, pilot, aircraftId, { ...cancelled, start_hobbs_photo_id: await scan('cancelled') });
  const flown = await scan('flown');
  await makeFlight(db, pilot, aircraftId, { start_hobbs: '1234.6', start_hobbs_photo_id: flown });
  expect(await findConfirmedPhotos(db, pilot.schoolId)).toMatchObject([
    { photoId: flown, reading: '1234.6', detectedText: '1234.5', tailNumber: 'N512FL' },
  ]);
});
