import { type Kysely, sql } from 'kysely';

/** What somebody has said about a file that its cells do not prove, and more of what it would do (docs/decisions/146). */
export async function up(db: Kysely<any>): Promise<void> {
  // The release before reads columns and formats, and a preview without more than it knows; a file that it has read is read anew.
  await sql`
    alter table imports
      add column answers jsonb not null default '{}',
      add column outcome jsonb not null default '{}',
      alter column columns set default '{}',
      alter column formats set default '{"decimals": ".", "dates": "day first"}'`.execute(db);
}
