import type { Db } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { exactlyOnce } from '../idempotency.server.ts';
import type { Account, AddUserInput } from './schema.server.ts';
import { hashPassword, fingerprintPassword } from './passwords.server.ts';
import { insertUser } from './queries.server.ts';

/**
 * Adds a user to the administrator's school, without an invitation (spec §2). Throws 'conflict' for a username that a
 * live user of any school has, however it is written, or an email of the school's own (C16, C17).
 */
export async function addUser(db: Db, actor: Member, fields: AddUserInput, key?: string): Promise<Account> {
  const { password, ...user } = fields;
  const passwordHash = await hashPassword(password);
  const input = { ...user, password: await fingerprintPassword(password, key) };
  return exactlyOnce(db, { scope: `user:${actor.id}`, key, operation: 'add user', input }, async (trx) => {
    const account = await insertUser(trx, actor.schoolId, { ...user, passwordHash });
    await writeAuditEntry(trx, actor, { action: 'added user', subject: 'user', subjectId: account.id, after: user });
    return account;
  });
}
