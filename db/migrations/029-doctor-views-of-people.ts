import { type Kysely, sql } from 'kysely';

/** The doctor finds every pending invitation of a member, expired ones too, and two for one address. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const [name, query] of Object.entries(VIEWS)) {
    await sql.raw(`create or replace view doctor_${name} as ${query}`).execute(db);
  }
}

const VIEWS = {
  invitations_of_members: `
    select invitations.school_id, 'invitation ' || invitations.id as subject,
      'is pending for the address of user ' || users.id || ', who is a member already' as detail
    from invitations join users on users.school_id = invitations.school_id
      and (lower(users.email) = lower(invitations.email) and invitations.email <> '' or users.id = former_user_id)
    where accepted_at is null and users.deleted_at is null`,

  invitations_twice: `
    select school_id, 'invitations ' || string_agg(id::text, ', ' order by id) as subject,
      'are all pending for ' || lower(email) as detail
    from invitations where accepted_at is null and email <> '' group by school_id, lower(email) having count(*) > 1`,
};
