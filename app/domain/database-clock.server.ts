import { type RawBuilder, sql } from 'kysely';

type Unit = 'seconds' | 'minutes' | 'hours' | 'days';

export const now: RawBuilder<Date> = sql<Date>`now()`;

/** The time of a row's later event: a clock that was set back may not put it before the row. */
export function nowButNotBefore(column: 'created_at'): RawBuilder<Date> {
  return sql<Date>`greatest(now(), ${sql.ref(column)})`;
}

export function ago(count: number, unit: Unit): RawBuilder<Date> {
  return sql<Date>`now() - ${count}::integer * ${sql.raw(`interval '1 ${unit}'`)}`;
}

export function fromNow(count: number, unit: Unit): RawBuilder<Date> {
  return sql<Date>`now() + ${count}::integer * ${sql.raw(`interval '1 ${unit}'`)}`;
}

export function startOfDay(day: string, timeZone: string, daysLater = 0): RawBuilder<Date> {
  return sql`(${day}::date + ${daysLater}::integer)::timestamp at time zone ${timeZone}`;
}
