import type { Db } from '#db/connect.server.ts';
import { paths } from '#app/paths.ts';

/** Finds the aircraft's open flight; null while it is on the ground. */
export async function findOpenFlightOf(db: Db, schoolId: number | null, aircraftId: number) {
  const flight = await db
    .selectFrom('flight_logs')
    .innerJoin('users', 'users.id', 'flight_logs.user_id')
    .select(['flight_logs.id', 'flight_logs.created_at as startedAt', 'user_id as pilotId', 'username as pilot'])
    .where('flight_logs.school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .where('completed_at', 'is', null)
    .where('voided_at', 'is', null)
    .executeTakeFirst();
  return flight ?? null;
}

/** Finds the newest photo of each meter at the end of a flight. */
export async function findReadingPhotos(db: Db, schoolId: number | null, aircraftId: number) {
  const newest = db
    .selectFrom('flight_logs')
    .select(['id', 'end_hobbs as hobbs', 'end_tach as tach', 'completed_at as at'])
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
  const hobbs = await newest
    .select('end_hobbs_photo_id as photo')
    .where('end_hobbs_photo_id', 'is not', null)
    .executeTakeFirst();
  const tach = await newest
    .select('end_tach_photo_id as photo')
    .where('end_tach_photo_id', 'is not', null)
    .executeTakeFirst();
  return [
    { meter: 'Hobbs', photo: hobbs?.photo, value: hobbs?.hobbs, flightId: hobbs?.id },
    { meter: 'Tach', photo: tach?.photo, value: tach?.tach, flightId: tach?.id },
  ].flatMap(({ meter, photo, value, flightId }) =>
    photo == null || value == null || flightId === undefined
      ? []
      : [{ meter, src: paths.photo(photo), value, flightId }],
  );
}
