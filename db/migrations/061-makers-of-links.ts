import { type Kysely, sql } from 'kysely';

/** Who has seen a link that lets somebody in, so that it ends with their role (docs/decisions/187). */
export async function up(db: Kysely<any>): Promise<void> {
  // Of links that are there already nobody knows it.
  await sql`
    alter table password_links
      add column made_by integer,
      add constraint password_links_made_by_fkey foreign key (school_id, made_by) references users (school_id, id)`.execute(
    db,
  );
  await sql`
    alter table invitations
      add column link_made_by integer,
      add constraint invitations_link_made_by_fkey foreign key (school_id, link_made_by) references users (school_id, id)`.execute(
    db,
  );
}
