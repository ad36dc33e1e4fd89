import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { type Actor, assertCan } from './actor.ts';
import { AppError } from './app-error.ts';
import { toAppError } from './constraint-errors.server.ts';
import { doneOperations } from './done-operations.ts';
import { claimKey, type IdempotentRequest, storedResponse, storeResponse } from './idempotency.server.ts';
import { findUserForShare } from './people/queries.server.ts';
import type { Capability } from './permissions.ts';
import { texts } from './texts.ts';

interface Operation<Person extends Actor> extends Omit<IdempotentRequest, 'scope'> {
  actor: Person;
  can: Capability | 'anyRole';
  /** Asks for the password again some minutes after it was entered. */
  isDangerous?: true;
  /** Takes locks that other operations take before the user's, which prevents deadlocks. */
  lockFirst?: (trx: Trx) => Promise<void>;
}

/** Runs an operation in one transaction, once per key. Throws 'unauthorized', 'forbidden', 'unproved' or 'mismatch'. */
export function runOperation<Person extends Actor, Result extends object>(
  db: Db,
  { actor, can, isDangerous, lockFirst, ...request }: Operation<Person>,
  work: (trx: Trx, actor: Person) => Promise<Result>,
): Promise<Result> {
  const authorize = async (trx: Trx) => {
    await lockFirst?.(trx);
    const { isProved, ...current } = await lockActor(trx, actor, can);
    if (isDangerous && !isProved) throw new AppError('unproved', texts.proofNeeded);
    return { ...actor, ...current };
  };
  return runOnce(db, { scope: `user:${actor.id}`, ...request }, authorize, work);
}

/** Runs the operation of a link token, once per key; `work` checks the token. */
export function runLinkOperation<Result extends object>(
  db: Db,
  request: IdempotentRequest,
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  return runOnce(db, request, async () => undefined, work);
}

async function runOnce<Context, Result extends object>(
  db: Db,
  request: IdempotentRequest,
  authorize: (trx: Trx) => Promise<Context>,
  work: (trx: Trx, context: Context) => Promise<Result>,
): Promise<Result> {
  try {
    let isDone = false;
    const response = await inTransaction(db, async (trx) => {
      const claim = await claimKey(trx, request);
      const context = await authorize(trx);
      const stored = storedResponse<Result>(claim, request);
      if (stored) return stored;
      const result = await work(trx, context);
      await storeResponse(trx, request, result);
      isDone = true;
      return result;
    });
    if (isDone) doneOperations.publish(request.operation);
    return response;
  } catch (error) {
    throw toAppError(error);
  }
}

/** Prevents the actor's deletion, demotion and signing out before the transaction ends. */
async function lockActor<Person extends Actor>(
  trx: Trx,
  actor: Person,
  needed: Capability | 'anyRole',
): Promise<Person & { isProved: boolean }> {
  const user = await findUserForShare(trx, actor);
  if (!user) throw new AppError('unauthorized', texts.unauthorized);
  if (actor.schoolId !== null && user.schoolId !== actor.schoolId) throw new AppError('forbidden', texts.forbidden);
  const current = { ...actor, ...user };
  if (needed !== 'anyRole') assertCan(current, needed);
  return current;
}
