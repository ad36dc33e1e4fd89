import { sql } from 'kysely';
import { z } from 'zod';
import type { Trx } from '#db/connect.server.ts';
import { AppError } from '../app-error.ts';
import { usernameInputSchema } from '../people/schema.server.ts';
import { usernameKey } from '../people/username.ts';
import { rowsFileName } from './manifest.server.ts';
import type { OpenArchive } from './open-archive.server.ts';

/** The username of each person of an export who cannot keep theirs, by the one that they have there. */
export type OtherUsernames = Readonly<Record<string, string>>;

/** Somebody of another school has a username of the export: each is told, and asked for. */
export class UsernamesTaken extends AppError {
  constructor(taken: string[]) {
    const names = JSON.stringify(Object.fromEntries(taken.map((name) => [name, ''])));
    super(
      'conflict',
      `Other usernames are needed, since these are taken here: ${taken.join(', ')}. Nothing was imported. Say them with --usernames '${names}'.`,
    );
  }
}

const userRow = z.looseObject({ username: z.string(), deleted_at: z.string().nullable() });

/**
 * Proves that all people of an export can have a username here. Throws UsernamesTaken for those that were not given
 * another, 'invalid' for another that is none, or of nobody.
 */
export async function assertUsernamesFree(trx: Trx, archive: OpenArchive, others: OtherUsernames): Promise<void> {
  const names: string[] = [];
  for await (const line of archive.lines(rowsFileName('users'))) {
    const { username, deleted_at } = userRow.parse(JSON.parse(line));
    if (deleted_at === null) names.push(username);
  }
  for (const [name, other] of Object.entries(others)) {
    if (!names.includes(name)) throw new AppError('invalid', `Nobody of the export is called '${name}'.`);
    const { success, error } = usernameInputSchema.safeParse(other);
    if (!success) throw new AppError('invalid', `'${other}' is no username: ${error.issues[0]?.message}.`);
  }
  const wanted = names.map((name) => ({ name, key: usernameKey(others[name] ?? name) }));
  const here = await trx
    .selectFrom('users')
    .select('username_key')
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`username_key = any(${wanted.map(({ key }) => key)}::text[])`)
    .execute();
  const keys = new Set(here.map(({ username_key }) => username_key));
  const twice = wanted.filter(({ key }, at) => wanted.findIndex((one) => one.key === key) !== at);
  const taken = [...wanted.filter(({ key }) => keys.has(key)), ...twice].map(({ name }) => name);
  if (taken.length > 0) throw new UsernamesTaken([...new Set(taken)]);
}

/** A row of users with its other username, where one was said. */
export function withOtherUsername(line: string, others: OtherUsernames): string {
  const row = userRow.parse(JSON.parse(line));
  const other = others[row.username]?.trim();
  if (other === undefined || row.deleted_at !== null) return line;
  return JSON.stringify({ ...row, username: other, username_key: usernameKey(other) });
}
