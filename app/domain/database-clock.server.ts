import { type RawBuilder, sql } from 'kysely';

type Unit = 'seconds' | 'minutes' | 'hours' | 'days';

export const now: RawBuilder<Date> = sql<Date>`now()`;

export function ago(count: number, unit: Unit): RawBuilder<Date> {
  return sql<Date>`now() - ${count}::integer * ${sql.raw(`interval '1 ${unit}'`)}`;
}

export function fromNow(count: number, unit: Unit): RawBuilder<Date> {
  return sql<Date>`now() + ${count}::integer * ${sql.raw(`interval '1 ${unit}'`)}`;
}
