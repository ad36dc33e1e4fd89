import type { Db, Trx } from '#db/connect.server.ts';
import type { CorrectableColumn, CorrectableText } from '#db/tables.ts';
import { AppError } from '../../app-error.ts';
import type { TextChange } from '../../readings/write-revisions.server.ts';
import { texts } from '../../texts.ts';
import type { CorrectionInput } from '../amendment-schema.server.ts';
import { correctedFieldNames } from './corrected-field-names.ts';
import { findDeclaredChanges } from './correction-queries.server.ts';
import { type FuelValues, findFuelValues, fuelText, toFuelValues } from './fuel-values.server.ts';
import type { FlightRow } from '../flight-row.server.ts';
import { findLogbookPerson } from '../logbook/people.server.ts';
import type { CorrectionEffect } from './meter-correction.ts';
import type { RecordedColumns, RecordedField } from '../schema.server.ts';

/** The changes of a correction beside readings and times. */
export interface OtherCorrections {
  texts: TextChange[];
  effects: CorrectionEffect[];
  columns: OtherColumns;
  /** Absent where they stay as they are. */
  fuelRecords: FuelValues[] | undefined;
}

type OtherField = Exclude<RecordedField, 'endHobbsTime' | 'endTachTime' | 'meterChanges' | 'departedAt' | 'landedAt'>;
type OtherColumns = Omit<RecordedColumns, CorrectableColumn>;

/** Throws 'invalid' for an instructor who is none. */
export async function findOtherCorrections(
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
      what: correctedFieldNames[field],
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
  const stored = await findDeclaredChanges(db, log);
  return (['hobbs', 'tach'] as const).flatMap((meter) => {
    const [before, after] = [stored[meter], meterChanges?.[meter]];
    return before && after ? [change(`${meter}_change`, wordsOf(before), wordsOf(after))] : [];
  });
}

function wordsOf({ reason, remark }: { reason: string; remark?: string | undefined }): string {
  return remark ? `${reason}: ${remark}` : reason;
}

function change(field: CorrectableText, before: string | null, after: string | null): TextChange {
  return { field, before: before || null, after: after || null };
}
