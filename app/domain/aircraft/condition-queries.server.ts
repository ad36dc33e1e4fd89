import { type Expression, expressionBuilder, type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database, SquawkState } from '#db/tables.ts';
import { now } from '../database-clock.server.ts';
import { type DueItem, toDueItems, toDuePoint } from '../inspections/due-point.ts';
import { type ConditionItem, toConditionItems } from './find-conditions.ts';

type AircraftBuilder = ExpressionBuilder<Database, 'aircraft'>;

/** The day at the school of an aircraft whose row stands beside it in the statement. */
export const todayAtSchool = sql<string>`(${now} at time zone (
  select time_zone from schools where schools.id = aircraft.school_id))::date`;

/** Selects the facts that the condition of an aircraft follows from, besides its last readings. */
export function conditionColumns(eb: AircraftBuilder) {
  return [
    sql<string>`${todayAtSchool}::text`.as('today'),
    jsonArrayFrom(
      squawksInForce(eb)
        .select(['squawks.id', 'squawks.text', 'squawks.unsafe', 'squawks.state'])
        .select([sql<string | null>`until_hobbs::text`.as('hobbs'), sql<string | null>`until_tach::text`.as('tach')])
        .select(sql<string | null>`until_on::text`.as('date'))
        .orderBy('squawks.id', 'desc'),
    ).as('squawksInForce'),
    jsonArrayFrom(
      inspectionsOf(eb)
        .select(['inspections.id', 'inspections.name', sql<string | null>`due_hobbs::text`.as('hobbs')])
        .select([sql<string | null>`due_tach::text`.as('tach'), sql<string | null>`due_on::text`.as('date')])
        .orderBy('inspections.id'),
    ).as('inspections'),
  ] as const;
}

/** Tells, in a list with an end, the aircraft whose condition is grave. */
export function needsAttention(eb: AircraftBuilder): RawBuilder<boolean> {
  const overdue = inspectionsOf(eb).where(isPastDuePoint(sql`due_hobbs`, sql`due_tach`, sql`due_on`));
  const one = sql<number>`1`.as('one');
  return sql<boolean>`(${eb.exists(squawksInForce(eb).select(one))} or ${eb.exists(overdue.select(one))})`;
}

/** Counts a school's aircraft whose condition is grave, in a statement that has the school. */
export function needsAttentionCountQuery(schoolId: Expression<number | null>) {
  const builder = expressionBuilder<Database, never>();
  return builder
    .selectFrom('aircraft')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('aircraft.school_id', '=', schoolId)
    .where('deleted_at', 'is', null)
    .where(needsAttention);
}

/** Tells a point that an aircraft, a row beside it in the statement, has passed. */
export function isPastDuePoint(hobbs: RawBuilder<unknown>, tach: RawBuilder<unknown>, day: RawBuilder<unknown>) {
  return sql<boolean>`(${hobbs} < aircraft.last_hobbs or ${tach} < aircraft.last_tach or ${day} < ${todayAtSchool})`;
}

/** Selects unsafe squawks that are open, and those whose deferral is over. */
function squawksInForce({ selectFrom }: AircraftBuilder) {
  return selectFrom('squawks')
    .whereRef('squawks.school_id', '=', 'aircraft.school_id')
    .whereRef('squawks.aircraft_id', '=', 'aircraft.id')
    .where(sql<boolean>`state in ('open', 'deferred')`)
    .where(
      sql<boolean>`case state when 'open' then unsafe else ${isPastDuePoint(sql`until_hobbs`, sql`until_tach`, sql`until_on`)} end`,
    );
}

function inspectionsOf({ selectFrom }: AircraftBuilder) {
  return selectFrom('inspections')
    .whereRef('inspections.school_id', '=', 'aircraft.school_id')
    .whereRef('inspections.aircraft_id', '=', 'aircraft.id')
    .where('removed_at', 'is', null);
}

interface PointColumns {
  hobbs: string | null;
  tach: string | null;
  date: string | null;
}

export interface ConditionRow {
  last_hobbs: string | null;
  last_tach: string | null;
  today: string;
  squawksInForce: (PointColumns & { id: number; text: string; unsafe: boolean; state: SquawkState })[];
  inspections: (PointColumns & { id: number; name: string })[];
}

/** Condition of an aircraft that was added just now. */
export const NEW_AIRCRAFT_CONDITION: Pick<ConditionRow, 'today' | 'squawksInForce' | 'inspections'> = {
  today: '',
  squawksInForce: [],
  inspections: [],
};

/** Returns what a pilot should know of the aircraft, by its last readings, the gravest first. */
export function conditionsOfRow(row: ConditionRow): ConditionItem[] {
  const squawks = row.squawksInForce.map(({ hobbs, tach, date, ...squawk }) => ({
    ...squawk,
    until: toDuePoint({ hobbs, tach, date }),
  }));
  return toConditionItems(squawks, inspectionsOfRow(row), standingOf(row));
}

/** Returns what is due on the aircraft, the most urgent first. */
export function dueOfRow(row: ConditionRow): DueItem[] {
  return toDueItems(inspectionsOfRow(row), standingOf(row));
}

function inspectionsOfRow({ inspections }: ConditionRow) {
  return inspections.flatMap(({ id, name, ...point }) => {
    const due = toDuePoint(point);
    return due ? [{ id, name, due }] : [];
  });
}

function standingOf({ last_hobbs: hobbs, last_tach: tach, today }: ConditionRow) {
  return { hobbs, tach, today };
}
