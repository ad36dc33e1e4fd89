import type { Db } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { alertAdministrators } from '../audit/alerts.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import type { Account, AddUserInput } from './schema.server.ts';
import { hashPassword, fingerprintPassword } from './passwords.server.ts';
import { findSchoolName } from '../school/queries.server.ts';
import { assertHardToGuess } from './password-rules.server.ts';
import { insertUser } from './queries.server.ts';

/** Throws 'conflict' for a username taken in any school, or an email taken in this one. */
export async function addUser(db: Db, member: Member, fields: AddUserInput, key?: string): Promise<Account> {
  const { password, ...user } = fields;
  await assertHardToGuess(password, [user.username, await findSchoolName(db, member.schoolId)]);
  const passwordHash = await hashPassword(password);
  const input = { ...user, password: await fingerprintPassword(password, key) };
  const operation = { actor: member, can: 'manage users', key, operation: 'add user', input } as const;
  return runOperation(db, operation, async (trx, actor) => {
    const account = await insertUser(trx, actor.schoolId, { ...user, passwordHash });
    await writeAuditEntry(trx, actor, { action: 'added user', subject: 'user', subjectId: account.id, after: user });
    if (account.role === 'administrator')
      await alertAdministrators(trx, actor.schoolId, { about: 'new administrator', userId: account.id });
    return account;
  });
}
