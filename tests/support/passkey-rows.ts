import { randomUUID } from 'node:crypto';
import type { Db } from '#db/connect.server.ts';
import type { NewRow } from '#db/tables.ts';

/** A row that no authenticator can use; its id. */
export async function insertPasskey(
  db: Db,
  user: { id: number },
  columns: Partial<NewRow<'passkeys'>> = {},
): Promise<number> {
  const credential = { credential_id: randomUUID(), public_key: Buffer.from('key'), counter: 0, backed_up: false };
  const passkey = { user_id: user.id, name: 'Phone', ...credential, ...columns };
  return (await db.insertInto('passkeys').values(passkey).returning('id').executeTakeFirstOrThrow()).id;
}
