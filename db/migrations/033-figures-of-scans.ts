import { type Kysely, sql } from 'kysely';

/** How sure each figure of a scanned counter is, and which counter the other text is of (docs/decisions/106). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table scans
      add column figures jsonb not null default '[]' constraint scans_figures_are_a_list check (jsonb_typeof(figures) = 'array'),
      add column other_kind text constraint scans_other_kind_known check (other_kind in ('same counter', 'other counter')),
      add constraint scans_other_kind_of_text check (other_kind is null or other_text is not null)`.execute(db);
}
