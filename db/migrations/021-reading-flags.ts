import { type Kysely, sql } from 'kysely';

/** Flags of start readings, the only ones so far, say so and name the reading. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create function name_flagged_readings() returns trigger language plpgsql as $$
      begin
        new.reading_flags = (
          select jsonb_agg(
            jsonb_build_object('at', 'start', 'reading', case flag ->> 'meter' when 'hobbs' then new.start_hobbs else new.start_tach end::text)
              || flag order by position)
          from jsonb_array_elements(new.reading_flags) with ordinality as flags (flag, position));
        return new;
      end $$`.execute(db);
  // The previous release writes flags without them still.
  await sql`create trigger name_flagged_readings before insert or update of reading_flags on flight_logs
    for each row when (jsonb_typeof(new.reading_flags) = 'array' and jsonb_path_exists(new.reading_flags, '$[*] ? (!exists(@.at))'))
    execute function name_flagged_readings()`.execute(db);
  await sql`update flight_logs set reading_flags = reading_flags where jsonb_array_length(reading_flags) > 0`.execute(
    db,
  );
}
