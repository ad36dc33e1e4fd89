import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { StartupError } from '#db/startup-error.ts';
import { ensureDatabase, withDatabase } from '../launcher/database.ts';
import { defineCommand } from './command.ts';
import { assertCurrentSchema } from './current-schema.ts';
import { count } from './words.ts';

const COLUMNS = ['username', 'role', 'school', 'email', 'second factor', 'last seen'];

export const command = defineCommand({
  summary: 'lists who can sign in',
  help: `Lists the users of all schools: username, role, school, email, whether a second factor is set up, and when the user was
last seen. No passwords, which nobody can read.`,
  operands: [],
  options: { school: { type: 'string', about: 'only the users of the school of this name' } },
  run: async ({ values, settings }) => {
    const { url } = await ensureDatabase(settings);
    const users = await withDatabase(url, (db) => findUsers(db, values.school));
    for (const row of alignColumns([COLUMNS, ...users])) console.log(row);
    console.log(`${count(users.length, 'user')}.`);
    return 0;
  },
});

async function findUsers(db: Db, school: string | undefined): Promise<string[][]> {
  await assertCurrentSchema(db);
  if (school !== undefined) await assertSchool(db, school);
  const users = await db
    .selectFrom('users')
    .leftJoin('schools', 'schools.id', 'users.school_id')
    .select(['username', 'role', 'schools.name as school', 'email'])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('second_factors').select('user_id').whereRef('user_id', '=', 'users.id')).as('hasSecondFactor'),
    )
    .select(sql<Date | null>`(select max(seen_at) from sessions where user_id = users.id)`.as('seenAt'))
    .where('deleted_at', 'is', null)
    .$if(school !== undefined, (query) => query.where('schools.name', '=', school ?? ''))
    .orderBy('schools.name')
    .orderBy('username_key')
    .execute();
  return users.map(({ username, role, school, email, hasSecondFactor, seenAt }) => [
    username,
    role,
    school ?? 'none yet',
    email,
    hasSecondFactor ? 'yes' : 'no',
    seenAt?.toISOString().slice(0, 16).replace('T', ' ') ?? 'never',
  ]);
}

async function assertSchool(db: Db, name: string): Promise<void> {
  const found = await db.selectFrom('schools').select('id').where('name', '=', name).executeTakeFirst();
  if (!found) throw new StartupError(`There is no school '${name}'.`);
}

function alignColumns(rows: string[][]): string[] {
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
