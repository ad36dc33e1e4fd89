import { type Expression, type ExpressionBuilder, sql } from 'kysely';
import { compiledOnce, type CreateSlot } from '#db/compiled-once.ts';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Database } from '#db/tables.ts';
import { hasFlight, isNotCancelled } from '../flights/flight-order.server.ts';
import type { DueItem } from '../inspections/due-point.ts';
import { conditionColumns, type ConditionRow, conditionsOfRow, dueOfRow } from './condition-queries.server.ts';
import type { ConditionItem } from './find-conditions.ts';
import type { Aircraft } from './schema.server.ts';
import type { Actor, Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';

/** Finds the school's fleet by tail number; empty without a school. */
export async function findFleet(db: Db | Trx, schoolId: number | null): Promise<Aircraft[]> {
  return (await findFleetRows(db, { schoolId })).map(toAircraft);
}

const findFleetRows = compiledOnce((db, slot: CreateSlot<'schoolId'>) =>
  fleetQuery(db, slot<number>('schoolId')).orderBy('tail_number'),
);

export interface AircraftInDetail extends Aircraft {
  /** Conditions that a pilot should know of, with the ids that a tick names. */
  known: ConditionItem[];
  due: DueItem[];
}

export async function findFleetInDetail(db: Db | Trx, schoolId: number | null): Promise<AircraftInDetail[]> {
  const rows = await findFleetRows(db, { schoolId });
  return rows.map((row) => ({ ...toAircraft(row), known: conditionsOfRow(row), due: dueOfRow(row) }));
}

/** Selects removed aircraft that flight logs still refer to, by tail number. */
export function removedAircraftWithFlightsQuery(db: Db | Trx, schoolId: number | null) {
  return db
    .selectFrom('aircraft')
    .select(['id', 'tail_number as tailNumber'])
    .where('school_id', '=', schoolId)
    .where('deleted_at', 'is not', null)
    .where(
      hasFlight({
        schoolId: sql.ref('aircraft.school_id'),
        column: 'aircraft_id',
        id: sql.ref('aircraft.id'),
        where: isNotCancelled,
      }),
    )
    .orderBy('tail_number')
    .orderBy('id');
}

export function fleetNamesQuery(db: Db | Trx, schoolId: number | null) {
  return db
    .selectFrom('aircraft')
    .select(['id', 'tail_number as tailNumber'])
    .where('school_id', '=', schoolId)
    .where('deleted_at', 'is', null)
    .orderBy('tail_number');
}

/** Finds an aircraft; undefined for a removed one and outside the school. */
export async function findAircraft(db: Db | Trx, schoolId: number | null, id: number): Promise<Aircraft | undefined> {
  const row = await findAircraftRow(db, schoolId, id);
  return row && toAircraft(row);
}

export function findAircraftRow(db: Db | Trx, schoolId: number | null, id: number) {
  return fleetQuery(db, schoolId).where('aircraft.id', '=', id).executeTakeFirst();
}

/** Finds an aircraft, also a removed one, whose flights still lead to it. Throws 'notFound' outside the school. */
export async function requireAircraftOfAnyTime(db: Db | Trx, schoolId: number | null, id: number) {
  const row = await fleetQuery(db, schoolId, { includeRemoved: true }).where('aircraft.id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('notFound', texts.aircraftNotFound);
  return { ...toAircraft(row), isRemoved: row.deleted_at !== null };
}

export interface LastReading {
  value: string;
  /** Null if it was recorded when the aircraft was added. */
  at: Date | null;
  by: string | null;
}

/** Finds the last readings; null for a meter without one. */
export async function findLastReadings(db: Db | Trx, schoolId: number | null, aircraftId: number) {
  const row = await db
    .selectFrom('aircraft')
    .leftJoin('users as hobbs_reader', 'hobbs_reader.id', 'last_hobbs_by')
    .leftJoin('users as tach_reader', 'tach_reader.id', 'last_tach_by')
    .select(['last_hobbs', 'last_hobbs_at', 'last_tach', 'last_tach_at'])
    .select(['hobbs_reader.username as hobbs_by', 'tach_reader.username as tach_by'])
    .where('aircraft.school_id', '=', schoolId)
    .where('aircraft.id', '=', aircraftId)
    .executeTakeFirst();
  return {
    hobbs: row ? toLastReading(row.last_hobbs, row.last_hobbs_at, row.hobbs_by) : null,
    tach: row ? toLastReading(row.last_tach, row.last_tach_at, row.tach_by) : null,
  };
}

function toLastReading(value: string | null, at: Date | null, by: string | null): LastReading | null {
  return value === null ? null : { value, at, by };
}

/** Locks an aircraft against other starts, completions and status changes; rows may refer to it meanwhile. */
export async function lockAircraft(trx: Trx, schoolId: number, id: number): Promise<void> {
  await trx
    .selectFrom('aircraft')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .execute();
}

/** Locks several, or the whole fleet, in one order for all transactions. */
export async function lockFleet(trx: Trx, schoolId: number, ids?: number[]): Promise<void> {
  await trx
    .selectFrom('aircraft')
    .select('id')
    .where('school_id', '=', schoolId)
    .$if(ids !== undefined, (query) => query.where('id', '=', sql<number>`any(${ids}::integer[])`))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export async function lockAircraftOfFlight(trx: Trx, schoolId: number, flightLogId: number): Promise<void> {
  await trx
    .selectFrom('aircraft')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('flight_logs').select('aircraft_id').where('school_id', '=', schoolId).where('id', '=', flightLogId),
    )
    .forNoKeyUpdate()
    .execute();
}

/** Locks the aircraft of squawks, in the order of `lockFleet`. */
export async function lockAircraftOfSquawks(trx: Trx, schoolId: number, squawkIds: number[]): Promise<void> {
  await trx
    .selectFrom('aircraft')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('squawks')
        .select('aircraft_id')
        .where('school_id', '=', schoolId)
        .where('id', '=', sql<number>`any(${squawkIds}::integer[])`),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export function fleetQuery(
  db: Db | Trx,
  schoolId: number | null | Expression<number>,
  { includeRemoved = false } = {},
) {
  return db
    .selectFrom('aircraft')
    .selectAll('aircraft')
    .select(stateColumns)
    .where('aircraft.school_id', '=', schoolId)
    .$if(!includeRemoved, (query) => query.where('aircraft.deleted_at', 'is', null));
}

/** Selects what the state of an aircraft follows from, whose row stands beside it in the statement. */
export function stateColumns(eb: ExpressionBuilder<Database, 'aircraft'>) {
  const open = eb
    .selectFrom('flight_logs as open')
    .select(sql`1`.as('one'))
    .whereRef('open.school_id', '=', 'aircraft.school_id')
    .whereRef('open.aircraft_id', '=', 'aircraft.id')
    .where('open.completed_at', 'is', null)
    .where('open.voided_at', 'is', null);
  return [
    eb.exists(open).as('in_flight'),
    ...(['aircraft.maintenance_since', 'aircraft.last_hobbs', 'aircraft.last_tach'] as const),
    ...conditionColumns(eb),
  ] as const;
}

type AircraftRow = Awaited<ReturnType<ReturnType<typeof fleetQuery>['execute']>>[number];

export function toAircraft(row: AircraftRow): Aircraft {
  const conditions = conditionsOfRow(row);
  return {
    id: row.id,
    tailNumber: row.tail_number,
    make: row.make,
    model: row.model,
    year: row.year,
    lastHobbsTime: row.last_hobbs,
    lastTachTime: row.last_tach,
    ...toState(row, conditions),
    conditions: conditions.map(({ kind, name, text }) => ({ kind, text: `${name}: ${text}` })),
  };
}

type StateRow = ConditionRow & Pick<AircraftRow, 'in_flight' | 'maintenance_since'>;

/** Returns the state that is told wherever the aircraft is named. */
export function toState(
  row: StateRow,
  conditions = conditionsOfRow(row),
): Pick<Aircraft, 'status' | 'groundedOnReturn' | 'condition'> {
  return {
    status: row.in_flight ? 'checked_out' : row.maintenance_since ? 'maintenance' : null,
    groundedOnReturn: Boolean(row.in_flight) && row.maintenance_since !== null,
    condition: conditions[0]?.kind ?? null,
  };
}

/** Returns what the activity keeps of an aircraft; squawks and inspections have their own events. */
export function toAuditedAircraft({ condition: _condition, conditions: _conditions, ...aircraft }: Aircraft) {
  return aircraft;
}

/** Locks the aircraft's row before reading it. Throws 'notFound' outside the school's fleet. */
export async function requireAircraftRowForUpdate(trx: Trx, actor: Member, id: number) {
  await lockAircraft(trx, actor.schoolId, id);
  return requireAircraftRow(trx, actor, id);
}

/** Finds an aircraft. Throws 'notFound' outside the school's fleet. */
export async function requireAircraftRow(db: Db | Trx, actor: Pick<Actor, 'schoolId'>, id: number) {
  const row = await findAircraftRow(db, actor.schoolId, id);
  if (!row) throw new AppError('notFound', texts.aircraftNotFound);
  return row;
}
