import type { Db, Trx } from '#db/connect.server.ts';
import type { CorrectableColumn, CorrectableText, CorrectableTime } from '#db/tables.ts';
import { AppError } from '../../app-error.ts';
import type { TextChange } from '../../readings/write-revisions.server.ts';
import { texts } from '../../texts.ts';
import type { CorrectionInput, RecordedColumns, RecordedField } from '../schema.server.ts';
import { findDeclaredMeterChanges } from './correction-queries.server.ts';
import { toFuelColumns } from '../fuel-records.server.ts';
import type { FlightRow } from '../queries.server.ts';
import { findLogbookPerson } from '../logbook/people.server.ts';
import type { CorrectionEffect } from './meter-correction.ts';

/** The changes of a correction beside readings and times. */
export interface OtherCorrections {
  texts: TextChange[];
  effects: CorrectionEffect[];
  columns: OtherColumns;
  fuelRecords: FuelValues[] | undefined;
}

type OtherField = Exclude<RecordedField, 'endHobbsTime' | 'endTachTime' | 'meterChanges' | 'departedAt' | 'landedAt'>;
type OtherColumns = Omit<RecordedColumns, CorrectableColumn>;

/** Throws 'invalid' for an instructor who is none. */
export async function planOtherCorrections(
  db: Db | Trx,
  log: FlightRow,
  input: CorrectionInput,
): Promise<OtherCorrections> {
  const columns = toColumns(log, input);
  const storedFuel = await findFuelValues(db, log);
  const fuel = input.fuelRecords === undefined ? storedFuel : toFuelValues(input.fuelRecords, storedFuel);
  const byField: Record<OtherField, TextChange> = {
    instructorId: change('instructor', ...(await instructorNames(db, log, columns.instructor_id))),
    instructorTimeIn: change('instructor_time_in', log.instructor_time_in, columns.instructor_time_in),
    instructorTimeOut: change('instructor_time_out', log.instructor_time_out, columns.instructor_time_out),
    groundSchoolTime: change('ground_school_time', log.ground_school_time, columns.ground_school_time),
    fuelRecords: change('fuel_and_oil', fuelText(storedFuel), fuelText(fuel)),
    notes: change('notes', log.notes, columns.notes),
  };
  const changes = [...(await changedMeterWords(db, log, input)), ...Object.values(byField)].filter(
    ({ before, after }) => before !== after,
  );
  return {
    texts: changes,
    effects: changes.map(({ field, before, after }) => ({
      what: correctedFieldLabels[field],
      before: before ?? '-',
      after: after ?? '-',
    })),
    columns,
    fuelRecords: changes.some(({ field }) => field === 'fuel_and_oil') ? fuel : undefined,
  };
}

/** Times of an instructor count only with one. */
function toColumns(log: FlightRow, input: CorrectionInput): OtherColumns {
  const instructor_id = input.instructorId === undefined ? log.instructor_id : input.instructorId;
  const timeOf = (given: string | null | undefined, stored: string | null) =>
    instructor_id === null ? null : given === undefined ? stored : given;
  return {
    instructor_id,
    instructor_time_in: timeOf(input.instructorTimeIn, log.instructor_time_in),
    instructor_time_out: timeOf(input.instructorTimeOut, log.instructor_time_out),
    ground_school_time: input.groundSchoolTime === undefined ? log.ground_school_time : (input.groundSchoolTime ?? '0'),
    notes: input.notes === undefined ? log.notes : (input.notes ?? ''),
  };
}

async function instructorNames(
  db: Db | Trx,
  { school_id, instructor_id: before }: FlightRow,
  after: number | null,
): Promise<[string | null, string | null]> {
  const find = async (id: number | null) => (id === null ? undefined : findLogbookPerson(db, school_id, id));
  const [former, person] = [await find(before), await find(after)];
  if (before === after) return [former?.username ?? null, former?.username ?? null];
  if (after !== null && !person?.canInstruct)
    throw new AppError('invalid', texts.instructorInvalid).onField('instructorId');
  const isNamesake = former !== undefined && former.username === person?.username;
  const nameOf = (one: typeof person) => one && (isNamesake ? `${one.username} (${one.id})` : one.username);
  return [nameOf(former) ?? null, nameOf(person) ?? null];
}

/** Returns reason and remark of a meter that was changed, before and after the correction. */
async function changedMeterWords(
  db: Db | Trx,
  log: FlightRow,
  { meterChanges }: CorrectionInput,
): Promise<TextChange[]> {
  if (meterChanges === undefined) return [];
  const stored = await findDeclaredMeterChanges(db, log);
  return (['hobbs', 'tach'] as const).map((meter) =>
    change(`${meter}_change`, wordsOf(stored[meter]), wordsOf(meterChanges?.[meter])),
  );
}

function wordsOf(declared: { reason: string; remark?: string | undefined } | null | undefined): string | null {
  if (!declared) return null;
  const { reason, remark } = declared;
  return remark ? `${reason}: ${remark}` : reason;
}

function change(field: CorrectableText, before: string | null, after: string | null): TextChange {
  return { field, before: before || null, after: after || null };
}

/** The names that corrections and details have for each value. */
export const correctedFieldLabels = {
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

interface FuelValues extends ReturnType<typeof toFuelColumns> {
  id: number | null;
  hasReceipt: boolean;
}

async function findFuelValues(db: Db | Trx, { school_id, id }: FlightRow): Promise<FuelValues[]> {
  const rows = await db
    .selectFrom('fuel_records')
    .select(['id', 'refueled', 'oil_added', 'oil_quantity', 'notes', 'receipt_photo_id'])
    .where('school_id', '=', school_id)
    .where('flight_log_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ receipt_photo_id, ...row }) => ({ ...row, hasReceipt: receipt_photo_id !== null }));
}

/** The records as given, each in place of the stored one; one that is gone is emptied where it has a receipt. */
function toFuelValues(given: CorrectionInput['fuelRecords'], stored: FuelValues[]): FuelValues[] {
  const records = (given ?? []).map((record, at) => ({
    id: stored[at]?.id ?? null,
    ...toFuelColumns(record),
    hasReceipt: stored[at]?.hasReceipt ?? false,
  }));
  const emptied = stored.slice(records.length).filter(({ hasReceipt }) => hasReceipt);
  return [...records, ...emptied.map((record) => ({ ...record, ...toFuelColumns({}) }))];
}

/** 'Refueled (12 gal), oil 1.5 quarts; oil'; '' for none. */
function fuelText(records: FuelValues[]): string {
  return records.map(recordText).join('; ');
}

function recordText({ refueled, oil_added, oil_quantity, notes, hasReceipt }: FuelValues): string {
  const parts = [
    refueled && 'refueled',
    oil_added && (oil_quantity === null ? 'oil added' : `oil ${oil_quantity} quarts`),
    notes && `(${notes})`,
    hasReceipt && 'receipt',
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'nothing';
}

/** Writes the records of a correction in place of those that were there. */
export async function replaceFuelRecords(trx: Trx, log: FlightRow, records: FuelValues[]): Promise<void> {
  const kept = records.flatMap(({ id }) => (id === null ? [] : [id]));
  await trx
    .deleteFrom('fuel_records')
    .where('school_id', '=', log.school_id)
    .where('flight_log_id', '=', log.id)
    .$if(kept.length > 0, (query) => query.where('id', 'not in', kept))
    .execute();
  for (const { id, hasReceipt: _stays, ...values } of records) {
    const owned = { school_id: log.school_id, flight_log_id: log.id };
    await (id === null
      ? trx
          .insertInto('fuel_records')
          .values({ ...owned, ...values, receipt_photo_id: null })
          .execute()
      : trx
          .updateTable('fuel_records')
          .set(values)
          .where('school_id', '=', log.school_id)
          .where('id', '=', id)
          .execute());
  }
}
