import { type Kysely, sql } from 'kysely';

/** Flags of start readings, the only ones so far, say so and name the reading. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    update flight_logs set reading_flags = (
      select jsonb_agg(
        jsonb_build_object('at', 'start', 'reading', case flag ->> 'meter' when 'hobbs' then start_hobbs else start_tach end::text)
          || flag order by position)
      from jsonb_array_elements(reading_flags) with ordinality as flags (flag, position))
    where jsonb_array_length(reading_flags) > 0`.execute(db);
}
