import { type RawBuilder, sql } from 'kysely';

type Unit = 'seconds' | 'minutes' | 'hours' | 'days';

/** The start of the transaction, by the database's clock. */
export const now: RawBuilder<Date> = sql<Date>`now()`;

/** `ago(48, 'hours')` */
export function ago(count: number, unit: Unit): RawBuilder<Date> {
  return sql<Date>`now() - ${count}::integer * ${sql.raw(`interval '1 ${unit}'`)}`;
}

/** `fromNow(14, 'days')` */
export function fromNow(count: number, unit: Unit): RawBuilder<Date> {
  return sql<Date>`now() + ${count}::integer * ${sql.raw(`interval '1 ${unit}'`)}`;
}
