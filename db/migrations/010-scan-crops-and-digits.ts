import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table scans
      add column crop_id integer,
      add column digits smallint constraint scans_digits_counted check (digits > 0),
      add column other_text text constraint scans_other_text_differs check (other_text <> '' and other_text <> detected_text),
      add constraint scans_crop_of_school foreign key (school_id, crop_id) references photos (school_id, id)`.execute(
    db,
  );
}
