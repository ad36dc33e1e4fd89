import { type Kysely, sql } from 'kysely';

/** An export of a whole school that its administrator moves in with: the file in pieces, since it is large (docs/decisions/149). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table imports
      drop constraint imports_kind_known,
      add constraint imports_kind_known
        check (kind in ('fleet', 'people', 'flights', 'squawks', 'inspections', 'all')),
      add column archive jsonb;

    create table import_pieces (
      school_id integer not null,
      import_id integer not null,
      place integer not null,
      content bytea not null,
      primary key (school_id, import_id, place),
      foreign key (school_id, import_id) references imports (school_id, id) on delete cascade
    )`.execute(db);
}
