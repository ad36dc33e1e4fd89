import type { Actor } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import type { CorrectionField } from '#app/domain/flights/recorded-form-schema.server.ts';
import type { FlightLog } from '#app/domain/flights/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { toSchoolTime } from '#app/domain/times/school-time.server.ts';
import { db } from '#app/server/db.server.ts';

export async function requireRecordedTexts(actor: Actor, id: number) {
  const log = await findFlightLog(db, actor.schoolId, id, { includeCancelled: true });
  if (!log) throw new AppError('notFound', texts.flightLogNotFound);
  return { recorded: recordedTexts(log, actor.timeZone), fuelRecords: log.fuelRecords.length };
}

/** The compiler asks for each field but the ticks, and the changes of meters, which have fields of their own. */
type RecordedTexts = Record<
  Exclude<CorrectionField, 'meterChanges' | 'readAgain' | 'instructionChecked' | 'reason'>,
  string
>;

/** Returns the record of a flight as the form's fields have it; the first of its fuel records. */
function recordedTexts(log: FlightLog, timeZone: string): RecordedTexts {
  const { createdAt, completedAt, departedAt, landedAt, instructor, fuelRecords, meterChanges } = log;
  const [fuel] = fuelRecords;
  return {
    startHobbsTime: log.startHobbsTime,
    startTachTime: log.startTachTime,
    endHobbsTime: log.endHobbsTime ?? '',
    endTachTime: log.endTachTime ?? '',
    ...changeTexts('hobbs', meterChanges.hobbs),
    ...changeTexts('tach', meterChanges.tach),
    departedAt: departedAt === createdAt ? '' : toSchoolTime(departedAt, timeZone),
    landedAt: landedAt === null || landedAt === completedAt ? '' : toSchoolTime(landedAt, timeZone),
    refueled: fuel?.refueled ? 'on' : '',
    fuelNotes: fuel?.notes ?? '',
    oilAdded: fuel?.oilAdded ? 'on' : '',
    oilQuantity: fuel?.oilQuantity == null ? '' : String(fuel.oilQuantity),
    instructorId: instructor ? String(instructor.id) : '',
    instructorTimeIn: log.instructorTimeIn ?? '',
    instructorTimeOut: log.instructorTimeOut ?? '',
    groundSchoolTime: log.groundSchoolTime,
    notes: log.notes,
  };
}

function changeTexts(meter: 'hobbs' | 'tach', change: FlightLog['meterChanges']['hobbs']) {
  if (!change) return {};
  const fields = Object.entries({ changed: 'on', ...change });
  return Object.fromEntries(fields.map(([name, text]) => [`meterChanges.${meter}.${name}`, text]));
}
