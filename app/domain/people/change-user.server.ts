import { createHash } from 'node:crypto';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { alertToNewAdministrator } from '../audit/alerts.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { withdrawJoinedInvitationMails } from '../invitations/joined-invitations.server.ts';
import { can } from '../permissions.ts';
import { runOperation } from '../run-operation.server.ts';
import { requireSchoolName, lockSchool } from '../school/queries.server.ts';
import { texts } from '../texts.ts';
import { deleteInvitationsBy } from '../invitations/queries.server.ts';
import { deletePasswordLink, deletePasswordLinksBy } from './password-links.server.ts';
import { findAdministrators, requireUserForUpdate, insertUser, withoutNullName } from './queries.server.ts';
import type { Account, AddUserInput, ChangeUserInput, User } from './schema.server.ts';
import { rethrowWithAllTakenNames } from './taken-names.server.ts';
import { usernameKey } from './username.ts';
import { isPowerful } from '../power.ts';
import { fingerprintPassword, hashPassword } from './passwords.server.ts';
import { requireFormerUser, reviveUser } from './former-users.server.ts';
import { assertHardToGuess } from './password-rules.server.ts';
import { now } from '../database-clock.server.ts';
import { findOpenFlights } from '../flights/queries.server.ts';
import { deletePasskeys } from './passkeys/change-passkeys.server.ts';
import { deleteSecondFactor, findSecondFactor } from './second-factor/second-factors.server.ts';
import { revokeUserSessions } from './sessions.server.ts';

type Change = { [Field in keyof ChangeUserInput]?: ChangeUserInput[Field] | undefined };

/** Changes what differs. Throws 'notFound', 'conflict' for the last administrator, taken names or one not as `seen`. */
export function changeUser(
  db: Db,
  member: Member,
  id: number,
  { seen, ...change }: Change & { seen?: string | undefined },
  key?: string,
): Promise<User> {
  const request = { key, operation: `change user ${id}`, input: change };
  return runOperation(
    db,
    { actor: member, can: 'manage users', lockFirst: 'school', ...request },
    async (trx, actor) => {
      const user = await requireUserForUpdate(trx, actor.schoolId, id);
      if (seen !== undefined && seen !== fingerprintUser(user)) throw new AppError('conflict', texts.userChanged);
      const changed = changedFields(user, change);
      if (Object.keys(changed).length === 0) return user;
      const isDemoted = managesSchool(user.role) && changed.role !== undefined && !managesSchool(changed.role);
      if (isDemoted) await assertNotLastAdministrator(trx, actor.schoolId, id);
      if (changed.email !== undefined && id === actor.id) await assertWithoutSecondFactor(trx, id);
      await updateUser(trx, actor, id, changed);
      if (isDemoted) await withdrawMadeLinks(trx, actor, id);
      const values = { before: formerValues(user, changed), after: changed, formerEmail: user.email };
      await writeAuditEntry(trx, actor, { action: 'changed user', subject: 'user', subjectId: id, ...values });
      if (changed.role) await alertToNewAdministrator(trx, actor.schoolId, { id, role: changed.role });
      return withoutNullName({ ...user, name: user.name ?? null, ...changed });
    },
  ).catch((error: unknown) => rethrowWithAllTakenNames(db, { ...change, id, schoolId: member.schoolId }, error));
}

const OWN_EMAIL = 'Your own email is changed on your account, with a code of your second factor.';

/** Throws 'invalid' for a user whose own email takes a code, which only the account asks for. */
async function assertWithoutSecondFactor(trx: Trx, id: number): Promise<void> {
  if (await findSecondFactor(trx, id)) throw new AppError('invalid', OWN_EMAIL).onField('email');
}

const managesSchool = (role: Role) => can(role, 'manage school');

/** Hashes the values that fill a form, so that nobody overwrites what somebody else has changed since. */
export function fingerprintUser({ role, email, username, name }: User): string {
  return createHash('sha256')
    .update(JSON.stringify([role, email, username, name]))
    .digest('hex');
}

type Changed = Partial<Omit<User, 'id' | 'name'> & { name: string | null }>;

function changedFields(user: User, { role, email, username, name }: Change): Changed {
  return {
    ...(role !== undefined && role !== user.role && { role }),
    ...(email !== undefined && email !== user.email && { email }),
    ...(username !== undefined && username !== user.username && { username }),
    ...(name !== undefined && name !== (user.name ?? null) && { name }),
  };
}

/** Returns the former values of what changed, but for the email: an event has one, which is the new one. */
function formerValues({ role, username, name }: User, changed: Changed) {
  return {
    ...('role' in changed && { role }),
    ...('username' in changed && { username }),
    ...('name' in changed && { name: name ?? null }),
  };
}

/** Changes the row, and withdraws a link for a new password that went to the former address. */
async function updateUser(trx: Trx, actor: Member, id: number, changed: Changed): Promise<void> {
  const { username } = changed;
  await trx
    .updateTable('users')
    .set({ ...changed, ...(username !== undefined && { username_key: usernameKey(username) }) })
    .where('school_id', '=', actor.schoolId)
    .where('id', '=', id)
    .execute();
  if (changed.email === undefined) return;
  await deletePasswordLink(trx, actor.schoolId, id);
  await withdrawJoinedInvitationMails(trx, actor, id);
}

/** Throws 'conflict' for the only administrator; the caller has locked the school, so that two cannot go at once. */
export async function assertNotLastAdministrator(trx: Trx, schoolId: number, id: number): Promise<void> {
  const administrators = await findAdministrators(trx, schoolId);
  if (administrators.length === 1 && administrators[0]?.id === id)
    throw new AppError('conflict', texts.lastAdministrator);
}

/** Withdraws links by which a user who lost the role could still let others in, or set their passwords. */
async function withdrawMadeLinks(trx: Trx, actor: Member, makerId: number): Promise<void> {
  for (const { id, name, email, role } of await deleteInvitationsBy(trx, actor.schoolId, makerId)) {
    const before = { name, email, role };
    await writeAuditEntry(trx, actor, { action: 'deleted invitation', subject: 'invitation', subjectId: id, before });
  }
  for (const userId of await deletePasswordLinksBy(trx, actor.schoolId, makerId))
    await writeAuditEntry(trx, actor, { action: 'deleted password link', subject: 'user', subjectId: userId });
}

/** Adds a user, or a former one back. Throws 'conflict' for a username of any school, or an email taken here. */
export async function addUser(db: Db, member: Member, fields: AddUserInput, key?: string): Promise<Account> {
  const { password, samePerson, ...user } = fields;
  await assertHardToGuess(password, { ...user, school: await requireSchoolName(db, member.schoolId) });
  const passwordHash = await hashPassword(password);
  const input = { ...user, samePerson, password: await fingerprintPassword(password, key) };
  const request = {
    actor: member,
    can: 'manage users',
    lockFirst: 'school',
    key,
    operation: 'add user',
    input,
  } as const;
  return runOperation(db, { ...request, givesPower: () => isPowerful(user.role) }, async (trx, actor) => {
    const { schoolId } = actor;
    const former = samePerson ? await requireFormerUser(trx, schoolId, { ...user, name: user.username }) : undefined;
    const account = former
      ? await reviveUser(trx, schoolId, former.id, { ...user, passwordHash })
      : await insertUser(trx, schoolId, { ...user, passwordHash });
    await withdrawJoinedInvitationMails(trx, actor, account.id);
    const action = former ? 'brought user back' : 'added user';
    await writeAuditEntry(trx, actor, { action, subject: 'user', subjectId: account.id, after: user });
    await alertToNewAdministrator(trx, schoolId, account);
    return account;
  }).catch((error: unknown) => rethrowWithAllTakenNames(db, { ...user, schoolId: member.schoolId }, error));
}

/** Keeps the row. Throws 'invalid' for oneself, 'notFound', 'conflict' in flight or for the last administrator. */
export async function deleteUser(db: Db, member: Member, id: number, key?: string): Promise<object> {
  if (id === member.id) throw new AppError('invalid', texts.ownAccount);
  const request = { key, operation: `delete user ${id}`, input: null };
  // The actor was the other administrator if somebody deleted them while this waited for the school.
  const lockFirst = async (trx: Trx) => {
    await lockSchool(trx, member.schoolId);
    await assertNotLastAdministrator(trx, member.schoolId, id);
  };
  return runOperation(db, { actor: member, can: 'manage users', lockFirst, ...request }, async (trx, actor) => {
    const { name, ...user } = await requireUserForUpdate(trx, actor.schoolId, id);
    const [flight] = await findOpenFlights(trx, actor.schoolId, { userId: id });
    if (flight) throw new AppError('conflict', texts.userInFlight);
    await removeUser(trx, actor.schoolId, id);
    await withdrawMadeLinks(trx, actor, id);
    const before = { ...user, ...(name !== null && { name }) };
    await writeAuditEntry(trx, actor, { action: 'deleted user', subject: 'user', subjectId: id, before });
    return {};
  });
}

async function removeUser(trx: Trx, schoolId: number, id: number): Promise<void> {
  await trx
    .updateTable('users')
    .set({ deleted_at: now, password_hash: null })
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .execute();
  await revokeUserSessions(trx, id);
  await deletePasswordLink(trx, schoolId, id);
  await deleteSecondFactor(trx, id);
  await deletePasskeys(trx, id);
  await trx.deleteFrom('drafts').where('user_id', '=', id).execute();
}
