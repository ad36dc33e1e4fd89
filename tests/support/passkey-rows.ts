import { randomUUID } from 'node:crypto';
import type { Db } from '#db/connect.server.ts';
import { type Columns, insertRow } from './rows.ts';

/** A row that no authenticator can use; its id. */
export function insertPasskey(db: Db, user: { id: number }, columns: Columns<'passkeys'> = {}): Promise<number> {
  const credential = { credential_id: randomUUID(), public_key: Buffer.from('key'), counter: 0, backed_up: false };
  return insertRow(db, 'passkeys', { user_id: user.id, name: 'Phone', ...credential, ...columns });
}
