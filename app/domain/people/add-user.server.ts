import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { alertToPower } from '../audit/alerts.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { endJoinedInvitations } from '../invitations/joined-invitations.server.ts';
import { isPowerful } from '../power.ts';
import { runOperation } from '../run-operation.server.ts';
import type { Account, AddUserInput } from './schema.server.ts';
import { hashPassword, fingerprintPassword } from './passwords.server.ts';
import { findSchoolName, lockSchool } from '../school/queries.server.ts';
import { requireFormerUser, reviveUser } from './former-users.server.ts';
import { assertHardToGuess } from './password-rules.server.ts';
import { insertUser } from './queries.server.ts';
import { refuseTaken } from './taken-names.server.ts';

/** Adds a user, or a former one back. Throws 'conflict' for a username of any school, or an email taken here. */
export async function addUser(db: Db, member: Member, fields: AddUserInput, key?: string): Promise<Account> {
  const { password, samePerson, ...user } = fields;
  await assertHardToGuess(password, { ...user, school: await findSchoolName(db, member.schoolId) });
  const passwordHash = await hashPassword(password);
  const input = { ...user, samePerson, password: await fingerprintPassword(password, key) };
  const lockFirst = (trx: Trx) => lockSchool(trx, member.schoolId);
  const request = { actor: member, can: 'manage users', lockFirst, key, operation: 'add user', input } as const;
  return runOperation(db, { ...request, givesPower: () => isPowerful(user.role) }, async (trx, actor) => {
    const { schoolId } = actor;
    const former = samePerson ? await requireFormerUser(trx, schoolId, { ...user, name: user.username }) : undefined;
    const account = former
      ? await reviveUser(trx, schoolId, former.id, { ...user, passwordHash })
      : await insertUser(trx, schoolId, { ...user, passwordHash });
    await endJoinedInvitations(trx, actor, account.id);
    const action = former ? 'brought user back' : 'added user';
    await writeAuditEntry(trx, actor, { action, subject: 'user', subjectId: account.id, after: user });
    await alertToPower(trx, schoolId, account);
    return account;
  }).catch((error: unknown) => refuseTaken(db, { ...user, schoolId: member.schoolId }, error));
}
