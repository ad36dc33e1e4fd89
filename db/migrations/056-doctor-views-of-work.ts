import { type Kysely, sql } from 'kysely';

/** The doctor finds imports and removals of schools that were asked for and that nothing does. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const [name, query] of Object.entries(VIEWS)) {
    await sql.raw(`create or replace view doctor_${name} as ${query}`).execute(db);
  }
}

const VIEWS = {
  imports_stuck: `
    select school_id, 'import ' || id as subject,
      'was to be ' || case requested when 'apply' then 'imported' else 'undone' end || ' at ' || requested_at as detail
    from imports where requested_at < now() - interval '1 hour'`,

  removals_stuck: `
    select id as school_id, 'school ' || id as subject, 'was to be deleted at ' || removal_due_at as detail
    from schools where removal_due_at < now() - interval '1 day'`,
};
