import type { CorrectableColumn, CorrectableText, CorrectableTime } from '#db/tables.ts';

/** The names that corrections and details have for each value. */
export const correctedFieldNames = {
  start_hobbs: 'Hobbs Start',
  end_hobbs: 'Hobbs End',
  start_tach: 'Tach Start',
  end_tach: 'Tach End',
  hobbs_old_last: 'Old Hobbs meter, last',
  hobbs_new_first: 'New Hobbs meter, first',
  hobbs_change: 'Change of the Hobbs meter',
  tach_old_last: 'Old tach, last',
  tach_new_first: 'New tach, first',
  tach_change: 'Change of the tach',
  departed_at: 'Departed',
  landed_at: 'Landed',
  instructor: 'Instructor',
  instructor_time_in: 'Instructor Time In',
  instructor_time_out: 'Time Out',
  ground_school_time: 'Ground School Time',
  fuel_and_oil: 'Fuel & Oil',
  notes: 'Notes',
} as const satisfies Record<CorrectableColumn | CorrectableTime | CorrectableText, string>;
