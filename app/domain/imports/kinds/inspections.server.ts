import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { MAX_INSPECTION_NAME_CHARACTERS, MAX_INSPECTIONS_OF_AIRCRAFT, MAX_INSPECTION_INTERVAL } from '#app/limits.ts';
import { now } from '../../database-clock.server.ts';
import { nameInputSchema } from '../../field-schemas.server.ts';
import { squawkTexts } from '../../squawks/squawk-texts.server.ts';
import { findFleetByTail, notInFleetText } from '../plan/find-named.server.ts';
import {
  AMOUNT_FACT_KIND,
  COUNT_FACT_KIND,
  differencesFrom,
  fact,
  type Facts,
  READING_FACT_KIND,
  TEXT_FACT_KIND,
} from '../plan/facts.server.ts';
import { type Plan, type PlanContext, PlanBuilder } from '../plan/plan.ts';
import type { ImportFormats } from '../reading/answers.ts';
import type { InspectionRecord } from '../records.ts';
import { parseMoment } from '../values/moments.ts';
import { parseDecimal, parseMeterReading } from '../values/decimals.ts';
import type { RowReader } from '../values/row-reader.ts';
import { ValueProblemError } from '../values/value-problem.ts';
import { addRecords, changeRecords, type WriteContext } from '../write/write-records.server.ts';
import { readTailNumber } from './fleet.server.ts';

const nameSchema = nameInputSchema(squawkTexts.inspectionNameRequired, MAX_INSPECTION_NAME_CHARACTERS);

export function parseInspection(row: RowReader): InspectionRecord | undefined {
  const tailNumber = readTailNumber(row);
  const name = row.checked('name', nameSchema);
  const dueHobbs = row.parsed('dueHobbs', parseMeterReading) ?? null;
  const dueTach = row.parsed('dueTach', parseMeterReading) ?? null;
  const dueOn = row.parsed('dueOn', parseMoment)?.day ?? null;
  const points = [dueHobbs, dueTach, dueOn].filter((due) => due !== null).length;
  if (!row.isRefused) checkDue(row, points);
  const interval = points > 1 ? undefined : readInterval(row, dueOn === null);
  if (tailNumber === undefined || name === undefined || !interval) return undefined;
  return { row: row.row, tailNumber, name, dueHobbs, dueTach, dueOn, ...interval };
}

function checkDue(row: RowReader, points: number): void {
  const field = ['dueHobbs', 'dueTach', 'dueOn'].find((name) => row.has(name)) ?? null;
  if (points === 0) row.refuse(field, 'There is neither a reading nor a date at which this is due.');
  if (points > 1) row.refuse(field, 'This is due at two points. Please make two inspections of it.');
}

const INTERVAL_FIELDS = [
  ['intervalHours', 'hours'],
  ['intervalDays', 'days'],
  ['intervalMonths', 'months'],
  ['interval', null],
] as const;

const NONE = { intervalHours: null, intervalDays: null, intervalMonths: null };

interface Interval {
  count: string;
  unit: 'hours' | 'days' | 'months' | null;
}

/** Between readings there are hours, between dates days or months. */
function readInterval(row: RowReader, isAtMeter: boolean) {
  const given = INTERVAL_FIELDS.flatMap(([field, ofColumn]) => {
    const { count = '0', unit = null } = row.parsed(field, parseInterval) ?? {};
    return Number(count) === 0 ? [] : [{ field, count, unit: unit ?? ofColumn }];
  });
  const [first, second] = given;
  if (second) row.refuse(second.field, 'This has two intervals. Please make two inspections of it.');
  if (!first) return NONE;
  const { field, count } = first;
  const unit = first.unit ?? (isAtMeter ? 'hours' : null);
  if (unit === null) row.refuse(field, `"${count}" may be days or months.`);
  else if ((unit === 'hours') !== isAtMeter)
    row.refuse(field, isAtMeter ? 'At a meter it is hours.' : 'Between dates it is days or months.');
  else if (Number(count) > MAX_INSPECTION_INTERVAL || !(unit === 'hours' ? /^\d+(\.\d{1,2})?$/ : /^\d+$/).test(count))
    row.refuse(field, `${squawkTexts.intervalInvalid}.`.replace('..', '.'));
  else if (unit === 'hours') return { ...NONE, intervalHours: count };
  else return { ...NONE, [unit === 'days' ? 'intervalDays' : 'intervalMonths']: Number(count) };
  return NONE;
}

const UNITS: [expression: RegExp, unit: Interval['unit'], times: number][] = [
  [/^(h|hrs?|hours?|std|stunden?|heures?|horas?|fh)$/i, 'hours', 1],
  [/^(d|days?|tage?n?|jours?|j|d[ií]as?)$/i, 'days', 1],
  [/^(w|wks?|weeks?|wochen?|semaines?|semanas?)$/i, 'days', 7],
  [/^(m|mos?|months?|monate?n?|mois|mes|meses)$/i, 'months', 1],
  [/^(y|yrs?|years?|jahre?n?|ans?|ann[ée]es?|a[nñ]os?)$/i, 'months', 12],
];

/** '100 h', '12 months', '2 Jahre' */
function parseInterval(text: string, formats: ImportFormats): Interval {
  const [, count = '', word = ''] =
    /^([\d.,]+)\s*(\p{L}*)\.?$/u.exec(text.replace(/^(every|alle|tou(te)?s les|cada)\s+/i, '')) ?? [];
  const [, unit = null, times = 1] = UNITS.find(([expression]) => expression.test(word)) ?? [];
  if (count === '' || (word !== '' && unit === null))
    throw new ValueProblemError(`"${text}" is no interval, such as "100 h" or "12 months".`);
  const decimal = parseDecimal(count, formats);
  return { count: times === 1 ? decimal : String(Number(decimal) * times), unit };
}

/** An inspection is known by aircraft and name. */
export async function planInspections(
  db: Db | Trx,
  context: PlanContext,
  records: InspectionRecord[],
): Promise<Plan<'inspections'>> {
  const plan = new PlanBuilder<'inspections'>(context);
  const findAircraft = await findFleetByTail(db, context.schoolId);
  const known = await findKnown(db, context.schoolId);
  const byKey = new Map(known.map((row) => [keyOf(row.aircraft_id, row.name), row]));
  const counts = new Map<number, number>();
  for (const { aircraft_id } of known) counts.set(aircraft_id, (counts.get(aircraft_id) ?? 0) + 1);
  for (const record of records) {
    const { row, tailNumber, name } = record;
    const aircraftId = findAircraft(tailNumber)?.id;
    if (aircraftId === undefined) {
      plan.refuse(row, 'aircraft', notInFleetText(tailNumber));
      continue;
    }
    const key = keyOf(aircraftId, name);
    const there = byKey.get(key);
    const first = plan.firstWith(key, row);
    const count = counts.get(aircraftId) ?? 0;
    if (first !== undefined) plan.refuse(row, 'name', `${name} of ${tailNumber} stands in row ${first}, too.`);
    else if (there) {
      const { id, aircraft_id: _aircraft, name: _name, isDone, ...before } = there;
      const after = afterImport(before, toDueColumns(record));
      const differences = differencesFrom(FACTS, before, after, context);
      if (differences.length === 0 || isDone) plan.foundThere(row, () => `${name} of ${tailNumber}`, differences);
      else plan.changed.push({ row, id, name: `${tailNumber}: ${name}`, before, after });
    } else if (count >= MAX_INSPECTIONS_OF_AIRCRAFT) plan.refuse(row, 'aircraft', squawkTexts.tooManyInspections);
    else {
      counts.set(aircraftId, count + 1);
      plan.added.push({ ...record, aircraftId });
    }
  }
  return plan;
}

const keyOf = (aircraftId: number, name: string) => `${aircraftId} ${name.trim().toLowerCase()}`;

function findKnown(db: Db | Trx, schoolId: number) {
  return db
    .selectFrom('inspections')
    .select(['id', 'aircraft_id', 'name', 'due_hobbs', 'due_tach', 'interval_hours', 'interval_days'])
    .select(['interval_months', (eb) => eb.cast<string | null>('due_on', 'text').as('due_on')])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('inspection_completions as done')
          .select('done.id')
          .whereRef('done.school_id', '=', 'inspections.school_id')
          .whereRef('done.inspection_id', '=', 'inspections.id'),
      ).as('isDone'),
    )
    .where('school_id', '=', schoolId)
    .where('removed_at', 'is', null)
    .execute();
}

function toDueColumns({ dueHobbs, dueTach, dueOn, intervalHours, intervalDays, intervalMonths }: InspectionRecord) {
  return {
    ...{ due_hobbs: dueHobbs, due_tach: dueTach, due_on: dueOn },
    ...{ interval_hours: intervalHours, interval_days: intervalDays, interval_months: intervalMonths },
  };
}

type Due = ReturnType<typeof toDueColumns>;

/** An interval that the file does not say stays, where it is due at the same meter or by date as before. */
function afterImport(before: Due, after: Due): Due {
  const { interval_hours, interval_days, interval_months } = before;
  const isSaid = [after.interval_hours, after.interval_days, after.interval_months].some((value) => value !== null);
  const isOfSame = (after.due_on === null) === (before.due_on === null);
  return isSaid || !isOfSame ? after : { ...after, interval_hours, interval_days, interval_months };
}

const FACTS: Facts<Due> = {
  due_hobbs: fact(READING_FACT_KIND, 'dueHobbs', 'due at Hobbs', ({ due_hobbs }) => due_hobbs),
  due_tach: fact(READING_FACT_KIND, 'dueTach', 'due at tach', ({ due_tach }) => due_tach),
  due_on: fact(TEXT_FACT_KIND, 'dueOn', 'due on', ({ due_on }) => due_on),
  interval_hours: fact(AMOUNT_FACT_KIND, 'interval', 'the interval in hours', ({ interval_hours }) => interval_hours),
  interval_days: fact(COUNT_FACT_KIND, 'interval', 'the interval in days', ({ interval_days }) => interval_days),
  interval_months: fact(
    COUNT_FACT_KIND,
    'interval',
    'the interval in months',
    ({ interval_months }) => interval_months,
  ),
};

export async function writeInspections(context: WriteContext, { added, changed }: Plan<'inspections'>): Promise<void> {
  await addRecords(context, 'inspections', added, ({ aircraftId, name, ...record }) => ({
    ...{ aircraft_id: aircraftId, name: name.trim(), ...toDueColumns({ name, ...record }) },
  }));
  await changeRecords(context, 'inspections', changed);
  await markAsSet(context, changed);
}

/** As a form does: past the new point it is mailed again, and it stays there when a former meter change is corrected. */
async function markAsSet({ trx, schoolId }: WriteContext, changed: { id: number }[]): Promise<void> {
  const ids = changed.map(({ id }) => id);
  await trx
    .updateTable('inspections')
    .set({ changed_at: now, overdue_mailed_at: null })
    .where('school_id', '=', schoolId)
    .where('id', '=', sql<number>`any(${ids}::integer[])`)
    .execute();
}
