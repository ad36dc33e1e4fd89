import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { parseReading } from '../../reading.ts';
import { squawkTexts } from '../../squawks/squawk-texts.server.ts';
import { DayIndex } from '../day-index.ts';
import type { SquawkRecord } from '../records.ts';
import { findFleetByTail, findPeopleByName, notInFleet } from './find-named.server.ts';
import { type Plan, type PlanContext, type PlannedSquawk, Planning } from './plan.ts';

/** A squawk is known by aircraft, text and time, or by its day where no clock time was written. */
export async function planSquawks(
  db: Db | Trx,
  context: PlanContext,
  records: SquawkRecord[],
): Promise<Plan<'squawks'>> {
  const plan = new Planning<'squawks'>(context);
  const findAircraft = await findFleetByTail(db, context.schoolId);
  const { find: findPerson } = await findPeopleByName(db, context.schoolId);
  const known = await findKnown(db, context.schoolId);
  const rows = new DayIndex<SquawkRecord>();
  for (const record of records) {
    const { row } = record;
    const aircraftId = findAircraft(record.tailNumber);
    const author = record.author === null ? null : findPerson(record.author);
    const until = untilOf(record);
    if (aircraftId === undefined) plan.refuse(row, 'aircraft', notInFleet(record.tailNumber));
    else if (typeof author === 'string') plan.refuse(row, 'author', author);
    else if (!until) plan.refuse(row, 'remark', `${squawkTexts.untilRequired}, such as 2026-12-03 or Hobbs 1300.0.`);
    else if (record.reportedAt > context.now) plan.refuse(row, 'reportedAt', 'The squawk is from the future.');
    else {
      const key = keyOf(aircraftId, record.text);
      const at = record.reportedAt.getTime();
      const isTwin = (other: SquawkRecord) => isAtSameTime(record, other) || isAtSameTime(other, record);
      const first = rows.find(key, at, isTwin);
      rows.add(key, at, record);
      if (known.find(key, at, (other) => isAtSameTime(record, other)))
        plan.foundThere(row, () => `This squawk of ${record.tailNumber}`);
      else if (first) plan.refuse(row, 'text', `The same squawk stands in row ${first.row}.`);
      else plan.added.push({ ...record, aircraftId, authorId: author?.id ?? null, until });
    }
  }
  return plan;
}

const keyOf = (aircraftId: number, text: string) => `${aircraftId} ${text.trim()}`;

const HALF_DAY_MS = 43_200_000;

function isAtSameTime({ noon, reportedAt }: Pick<SquawkRecord, 'noon' | 'reportedAt'>, other: { reportedAt: Date }) {
  const [at, otherAt] = [reportedAt.getTime(), other.reportedAt.getTime()];
  if (noon === null) return Math.floor(at / 60_000) === Math.floor(otherAt / 60_000);
  return Math.abs(otherAt - noon) <= HALF_DAY_MS;
}

async function findKnown(db: Db | Trx, schoolId: number): Promise<DayIndex<{ reportedAt: Date }>> {
  const squawks = await db
    .selectFrom('squawks')
    .select(['aircraft_id', 'created_at as reportedAt', sql<string>`btrim(text)`.as('text')])
    .where('school_id', '=', schoolId)
    .execute();
  const known = new DayIndex<{ reportedAt: Date }>();
  for (const squawk of squawks) known.add(keyOf(squawk.aircraft_id, squawk.text), squawk.reportedAt.getTime(), squawk);
  return known;
}

/** A day, or a reading of either meter; undefined where a deferred squawk names neither. */
function untilOf({ state, remark }: SquawkRecord): PlannedSquawk['until'] | undefined {
  const none = { until_hobbs: null, until_tach: null, until_on: null };
  if (state !== 'deferred') return none;
  const [day] = /\d{4}-\d{2}-\d{2}/.exec(remark) ?? [];
  if (day !== undefined && !Number.isNaN(Date.parse(day))) return { ...none, until_on: day };
  const [, meter = '', text = ''] = /\b(hobbs|tach)\w*\s*([\d.,]+)/i.exec(remark) ?? [];
  const reading = parseReading(text);
  if (reading === undefined) return undefined;
  return meter.toLowerCase() === 'hobbs' ? { ...none, until_hobbs: reading } : { ...none, until_tach: reading };
}
