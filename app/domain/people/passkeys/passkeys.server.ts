import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';

export interface OwnPasskey {
  id: number;
  name: string;
  addedAt: Date;
  usedAt: Date | null;
}

export interface KnownPasskey extends Pick<Row<'passkeys'>, 'credential_id' | 'public_key'> {
  id: number;
  counter: number;
  userId: number;
  username: string;
  passwordGeneration: number;
}

/** Finds the actor's own passkeys, the newest first. */
export function findOwnPasskeys(db: Db, userId: number): Promise<OwnPasskey[]> {
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

export async function countPasskeys(trx: Trx, userId: number): Promise<number> {
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
