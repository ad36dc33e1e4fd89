import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { parseReading } from '../../reading.ts';
import { squawkTexts } from '../../squawks/squawk-texts.server.ts';
import type { SquawkRecord } from '../records.ts';
import { findFleetByTail, findPeopleByName, notInFleet } from './find-named.server.ts';
import { type Plan, type PlanContext, type PlannedSquawk, Planning } from './plan.ts';

/** A squawk is known by aircraft, text and time. */
export async function planSquawks(
  db: Db | Trx,
  context: PlanContext,
  records: SquawkRecord[],
): Promise<Plan<'squawks'>> {
  const plan = new Planning<'squawks'>(context);
  const findAircraft = await findFleetByTail(db, context.schoolId);
  const findPerson = await findPeopleByName(db, context.schoolId);
  const known = await findKnown(db, context.schoolId);
  const rows = new Map<string, number>();
  for (const record of records) {
    const { row } = record;
    const aircraftId = findAircraft(record.tailNumber);
    const author = record.author === null ? null : findPerson(record.author);
    const until = untilOf(record);
    if (aircraftId === undefined) plan.refuse(row, 'tailNumber', notInFleet(record.tailNumber));
    else if (typeof author === 'string') plan.refuse(row, 'author', author);
    else if (!until) plan.refuse(row, 'remark', `${squawkTexts.untilRequired}, such as 2026-12-03 or Hobbs 1300.0.`);
    else if (record.reportedAt > context.now) plan.refuse(row, 'reportedAt', 'The squawk is from the future.');
    else {
      const key = keyOf(aircraftId, record.reportedAt, record.text);
      const first = rows.get(key);
      rows.set(key, row);
      if (known.has(key)) plan.present += 1;
      else if (first !== undefined) plan.refuse(row, 'text', `The same squawk stands in row ${first}.`);
      else plan.added.push({ ...record, aircraftId, authorId: author?.id ?? null, until });
    }
  }
  return plan;
}

const keyOf = (aircraftId: number, at: Date, text: string) =>
  `${aircraftId} ${Math.floor(at.getTime() / 60_000)} ${text.trim()}`;

async function findKnown(db: Db | Trx, schoolId: number): Promise<Set<string>> {
  const squawks = await db
    .selectFrom('squawks')
    .select(['aircraft_id', 'created_at', sql<string>`btrim(text)`.as('text')])
    .where('school_id', '=', schoolId)
    .execute();
  return new Set(squawks.map((squawk) => keyOf(squawk.aircraft_id, squawk.created_at, squawk.text)));
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
