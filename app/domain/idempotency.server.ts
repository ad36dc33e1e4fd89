import { createHash } from 'node:crypto';
import type { Db, Trx } from '#db/connect.server.ts';
import { IDEMPOTENCY_KEY_LIFE_HOURS } from '#app/limits.ts';
import { AppError } from './app-error.ts';
import { ago } from './database-clock.server.ts';
import { texts } from './texts.ts';

/** Facts by which two requests are the same one; without a key each request is new. */
export interface IdempotentRequest {
  /** The sender, as 'user:7'. */
  scope: string;
  key: string | undefined;
  /** The operation and its object, as 'delete user 7'. */
  operation: string;
  /** The parsed input, with files as fingerprints. */
  input: unknown;
}

interface Claim {
  stored: { request_hash: string; response: object | null } | undefined;
}

/** Claims the request's key; waits for a transaction that has claimed it. */
export async function claimKey(trx: Trx, request: IdempotentRequest): Promise<Claim> {
  const { scope, key, operation } = request;
  if (key === undefined) return { stored: undefined };
  const claimed = await trx
    .insertInto('idempotency_keys')
    .values({ scope, key, operation, request_hash: requestHash(request), response: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  if (claimed) return { stored: undefined };
  const stored = await trx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'response'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('operation', '=', operation)
    .executeTakeFirstOrThrow();
  return { stored };
}

/** Returns true if a request with this key was handled, whatever its input; asked before expensive work. */
export async function isHandled(
  db: Db,
  { scope, key, operation }: Pick<IdempotentRequest, 'scope' | 'key' | 'operation'>,
): Promise<boolean> {
  if (key === undefined) return false;
  const found = await db
    .selectFrom('idempotency_keys')
    .select('key')
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('operation', '=', operation)
    .executeTakeFirst();
  return found !== undefined;
}

/** Returns the response stored for the same request. Throws 'mismatch' if its input differs. */
export function storedResponse<Response>({ stored }: Claim, request: IdempotentRequest): Response | undefined {
  if (!stored) return undefined;
  if (stored.request_hash !== requestHash(request)) throw new AppError('mismatch', texts.idempotencyKeyReused);
  return stored.response as Response;
}

export async function storeResponse(trx: Trx, request: IdempotentRequest, response: object): Promise<void> {
  const { scope, key, operation } = request;
  if (key === undefined) return;
  await trx
    .updateTable('idempotency_keys')
    .set({ response: JSON.stringify(response) })
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('operation', '=', operation)
    .execute();
}

export async function deleteExpiredIdempotencyKeys(db: Db): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', ago(IDEMPOTENCY_KEY_LIFE_HOURS, 'hours')).execute();
}

export function fingerprint(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function requestHash({ input }: IdempotentRequest): string {
  return fingerprint(JSON.stringify(input));
}
