import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { usernameKey } from './username.ts';

/** The live user with this username, in whichever school: sign-in knows no school (C16). */
export function findByUsername(db: Db | Trx, username: string): Promise<Row<'users'> | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('username_key', '=', usernameKey(username))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}
