import { type RawBuilder, sql } from 'kysely';

interface Whose {
  schoolId: RawBuilder<unknown>;
  column: 'aircraft_id' | 'user_id' | 'instructor_id';
  id: RawBuilder<unknown>;
  /** Further condition on the row `flight`. */
  where?: RawBuilder<boolean>;
}

/** Looks for a flight by the newest first: for `exists` under `or`, Postgres would read the whole table. */
export function hasFlight({ schoolId, column, id, where = sql<boolean>`true` }: Whose): RawBuilder<boolean> {
  return sql<boolean>`((
    select true from flight_logs as flight
    where flight.school_id = ${schoolId} and ${sql.ref(`flight.${column}`)} = ${id} and ${where}
    order by flight.created_at desc, flight.id desc limit 1
  ) is not null)`;
}

export const isNotCancelled = sql<boolean>`flight.voided_at is null`;
