import { createHash } from 'node:crypto';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { IDEMPOTENCY_KEY_LIFE_HOURS } from '#app/limits.ts';
import { toAppError } from './constraint-errors.server.ts';
import { AppError } from './app-error.ts';
import { ago } from './database-clock.server.ts';
import { texts } from './texts.ts';

/** What makes two requests the same one: who asks, the key they sent, what they ask for. */
export interface IdempotencyScope {
  /** Who asks, as 'user:7'. */
  scope: string;
  /** The form's request id or the Idempotency-Key header; without one every request is a new one. */
  key: string | undefined;
  operation: string;
  /** The parsed input, a file in it as its `fingerprint`; the same key with other contents is refused. */
  input: unknown;
}

/**
 * Runs `work` in one transaction, and once for each key: its answer is stored by the transaction that has
 * the effect, and the same request again gets the same answer (C58). A refused request stores nothing.
 * `work` must return plain JSON. Throws 'mismatch' for a key sent with other contents, and the words of a
 * constraint that refused the write.
 */
export async function exactlyOnce<Answer extends object>(
  db: Db,
  once: IdempotencyScope,
  work: (trx: Trx) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await inTransaction(db, async (trx) => {
      const { key } = once;
      if (key === undefined) return work(trx);
      const given = await claimKey<Answer>(trx, { ...once, key });
      if (given) return given;
      const answer = await work(trx);
      await trx
        .updateTable('idempotency_keys')
        .set({ response: JSON.stringify(answer) })
        .where('scope', '=', once.scope)
        .where('key', '=', key)
        .where('operation', '=', once.operation)
        .execute();
      return answer;
    });
  } catch (error) {
    throw toAppError(error);
  }
}

/** Claims the key, waiting for whoever holds it; gives the stored answer if it was used before. */
async function claimKey<Answer>(trx: Trx, { scope, key, operation, input }: IdempotencyScope & { key: string }) {
  const requestHash = fingerprint(JSON.stringify(input));
  const claimed = await trx
    .insertInto('idempotency_keys')
    .values({ scope, key, operation, request_hash: requestHash, response: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  if (claimed) return undefined;
  const given = await trx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'response'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('operation', '=', operation)
    .executeTakeFirstOrThrow();
  if (given.request_hash !== requestHash) throw new AppError('mismatch', texts.keyReused);
  return given.response as Answer;
}

/** Forgets answers older than 48 hours (C58). */
export async function deleteExpiredIdempotencyKeys(db: Db): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', ago(IDEMPOTENCY_KEY_LIFE_HOURS, 'hours')).execute();
}

/** What stands for an input, or for a file in it, when two requests are compared. */
export function fingerprint(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}
