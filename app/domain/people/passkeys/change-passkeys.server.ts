import type { Db, Trx } from '#db/connect.server.ts';
import { MAX_PASSKEYS } from '#app/limits.ts';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { runOperation } from '../../run-operation.server.ts';
import { alertAdministrators } from '../../audit/alerts.server.ts';
import { assertSamePassword } from '../queries.server.ts';
import { revokePasskeySessions, type VerifiedUser } from '../sessions.server.ts';
import type { WebAuthnCredential } from '@simplewebauthn/server';
import { passkeyTexts } from './schema.server.ts';
import type { Row } from '#db/tables.ts';

export type VerifiedPasskey = WebAuthnCredential & { backedUp: boolean };

interface AddedPasskey {
  name: string;
  passkey: VerifiedPasskey;
  /** User whose password was entered before the authenticator was asked. */
  verified: VerifiedUser;
}

/** Adds a passkey. Throws 'conflict' if it is there, or past the most, 'unauthorized' after a new password. */
export function addPasskey(db: Db, user: Actor, { name, passkey, verified }: AddedPasskey): Promise<object> {
  const request = { key: undefined, operation: 'add passkey', input: null };
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst: 'actor', ...request }, async (trx, actor) => {
    await assertSamePassword(trx, actor.id, verified);
    if ((await countPasskeys(trx, actor.id)) >= MAX_PASSKEYS) throw new AppError('conflict', passkeyTexts.tooMany);
    const { id } = await insertPasskey(trx, actor.id, name, passkey);
    await noteInSession(trx, actor, id);
    const about = { subject: 'user', subjectId: actor.id } as const;
    await writeAuditEntry(trx, actor, { action: 'added passkey', ...about, after: { name } });
    return {};
  });
}

function insertPasskey(trx: Trx, userId: number, name: string, passkey: VerifiedPasskey) {
  return trx
    .insertInto('passkeys')
    .values({
      user_id: userId,
      name,
      credential_id: passkey.id,
      public_key: Buffer.from(passkey.publicKey),
      counter: passkey.counter,
      transports: passkey.transports ?? [],
      backed_up: passkey.backedUp,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** Notes that the session has the password and the passkey behind it, as after a sign-in with both. */
async function noteInSession(trx: Trx, { sessionId }: Actor, passkeyId: number): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ passkey_id: passkeyId })
    .where('id', '=', sessionId ?? '')
    .execute();
}

/** Removes a passkey and ends the other sessions that it started. Throws 'notFound' unless it is the user's own. */
export function removePasskey(db: Db, user: Actor, id: number, key?: string): Promise<object> {
  const request = { key, operation: `remove passkey ${id}`, input: null };
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst: 'actor', ...request }, async (trx, actor) => {
    await revokePasskeySessions(trx, actor.id, id, actor.sessionId);
    const removed = await trx
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', actor.id)
      .returning('name')
      .executeTakeFirst();
    if (!removed) throw new AppError('notFound', passkeyTexts.notFound);
    const about = { subject: 'user', subjectId: actor.id } as const;
    await writeAuditEntry(trx, actor, { action: 'removed passkey', ...about, before: removed });
    if (actor.schoolId !== null && (await countPasskeys(trx, actor.id)) === 0)
      await alertAdministrators(trx, actor.schoolId, { about: 'last passkey removed', userId: actor.id });
    return {};
  });
}

export interface KnownPasskey extends Pick<Row<'passkeys'>, 'credential_id' | 'public_key'> {
  id: number;
  counter: number;
  userId: number;
  username: string;
  passwordGeneration: number;
}

export type OwnPasskey = Awaited<ReturnType<typeof findOwnPasskeys>>[number];

/** Finds the actor's own passkeys, the newest first. */
export function findOwnPasskeys(db: Db, userId: number) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at as addedAt', 'last_used_at as usedAt'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
}

/** Finds the passkeys that an authenticator must not add to. */
export function findCredentials(db: Db, userId: number): Promise<{ id: string; transports: string[] }[]> {
  return db
    .selectFrom('passkeys')
    .select(['credential_id as id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

/** Finds a passkey across schools, because the user is not known before; not of a deleted user. */
export async function findPasskey(db: Db, credentialId: string): Promise<KnownPasskey | undefined> {
  const row = await db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .select(['passkeys.id', 'credential_id', 'public_key', 'counter'])
    .select(['users.id as userId', 'username', 'password_generation as passwordGeneration'])
    .where('credential_id', '=', credentialId)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst();
  return row && { ...row, counter: Number(row.counter) };
}

async function countPasskeys(trx: Trx, userId: number): Promise<number> {
  const { count } = await trx
    .selectFrom('passkeys')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function deletePasskeys(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
}
