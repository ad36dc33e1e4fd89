import { channel } from 'node:diagnostics_channel';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { type Actor, assertCan } from './actor.ts';
import { AppError } from './app-error.ts';
import { toAppError } from './constraint-errors.server.ts';
import { claimKey, type IdempotentRequest, storedResponse, storeResponse } from './idempotency.server.ts';
import { accessTokenTexts } from './people/access-tokens/schema.server.ts';
import { findActorForShare, lockUserForUpdate } from './people/queries.server.ts';
import type { Capability } from './permissions.ts';
import { isPowerful, ruleOfOperation } from './power.ts';
import { lockSchool } from './school/queries.server.ts';
import { texts } from './texts.ts';
import { runSchoolOperationInTurn, runChangeInTurn } from './turns/queues.server.ts';
import { queueEvents } from './webhooks/raised-events.server.ts';

interface Operation<Person extends Actor, Result> extends Omit<IdempotentRequest, 'scope'> {
  actor: Person;
  can: Capability | 'anyRole';
  /** Answers, with the locks held, for an operation that power.ts lists as 'if it gives power'. */
  givesPower?: (trx: Trx, actor: Person) => boolean | Promise<boolean>;
  /** Locks that are taken before the actor's row is shared, in the order of all operations, which prevents deadlocks. */
  lockFirst?: LockFirst;
  /** Name of what is changed, as 'flight 7', if several requests may change it at once. */
  turn?: string;
  /** Makes the answer to a repeated request, if the first one may no longer be true. */
  replay?: (trx: Trx, actor: Person) => Promise<Result>;
}

type LockFirst = 'school' | 'actor' | ((trx: Trx) => Promise<void>);

interface PreparedOperation<Person extends Actor, Result, Found> extends Operation<Person, Result> {
  /** Locks and reads what the work needs, in the round trip that finds out who the actor is now; refuses nothing by itself. */
  find: (trx: Trx) => Promise<Found>;
}

/** Runs an operation in one transaction, once per key. Throws 'unauthorized', 'forbidden', 'unproved' or 'mismatch'. */
export function runOperation<Person extends Actor, Result extends object>(
  db: Db,
  operation: Operation<Person, Result>,
  work: (trx: Trx, actor: Person) => Promise<Result>,
): Promise<Result> {
  return findAndRunOperation(db, { ...operation, find: findNothing }, work);
}

/** Runs an operation that knows from its input what it will read. */
export function findAndRunOperation<Person extends Actor, Result extends object, Found>(
  db: Db,
  { actor, can, givesPower, lockFirst, turn, replay, find, ...request }: PreparedOperation<Person, Result, Found>,
  work: (trx: Trx, actor: Person, found: Found) => Promise<Result>,
): Promise<Result> {
  const { proof, did } = ruleOfOperation(request.operation);
  const authorize = async (trx: Trx) => {
    if (lockFirst) await takeLock(trx, actor, lockFirst);
    const { isProved, hasWebhooks, ...user } = await lockActor(trx, actor, can);
    const current = { ...actor, ...user, ...(hasWebhooks && { raisedEvents: [] }) };
    const isPower = await usesPower(trx, current, proof, givesPower);
    if (isPower && (proof === 'in its form' ? actor.token : !isProved)) throw proofNeeded(actor);
    return isPower && did !== undefined && isPowerful(current.role) ? { ...current, usesPower: did } : current;
  };
  const once = { scope: `user:${actor.id}`, schoolId: actor.schoolId, ...request };
  const run = () => runOnce(db, once, { authorize, find, work, replay });
  return turn === undefined ? run() : runChangeInTurn(turn, run);
}

async function takeLock(trx: Trx, { id, schoolId }: Actor, lock: LockFirst): Promise<void> {
  if (typeof lock === 'function') await lock(trx);
  else if (lock === 'actor') await lockUserForUpdate(trx, id);
  else if (schoolId !== null) await lockSchool(trx, schoolId);
}

async function usesPower<Person extends Actor>(
  trx: Trx,
  actor: Person,
  proof: ReturnType<typeof ruleOfOperation>['proof'],
  givesPower: Operation<Person, object>['givesPower'] = () => true,
): Promise<boolean> {
  return proof === 'if it gives power' ? givesPower(trx, actor) : proof !== 'never';
}

function proofNeeded({ token }: Actor): AppError {
  if (token) return new AppError('forbidden', accessTokenTexts.passwordNeeded);
  return new AppError('unproved', texts.proofNeeded);
}

/** Runs the operation of a link token, once per key; `work` checks the token. */
export function runLinkOperation<Result extends object>(
  db: Db,
  request: OperationRequest,
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  return runOnce(db, request, { authorize: findNothing, find: findNothing, work });
}

interface OperationRequest extends IdempotentRequest {
  schoolId: number | null;
}

type Raising = Pick<Actor, 'raisedEvents'> | undefined;

interface Steps<Context extends Raising, Result, Found> {
  authorize: (trx: Trx) => Promise<Context>;
  find: (trx: Trx) => Promise<Found>;
  work: (trx: Trx, context: Context, found: Found) => Promise<Result>;
  replay?: ((trx: Trx, context: Context) => Promise<Result>) | undefined;
}

async function findNothing(): Promise<undefined> {
  return undefined;
}

async function runOnce<Context extends Raising, Result extends object, Found>(
  db: Db,
  request: OperationRequest,
  { authorize, find, work, replay }: Steps<Context, Result, Found>,
): Promise<Result> {
  let isDone = false;
  const run = async (trx: Trx) => {
    isDone = false;
    // Both are sent in this order, in one round trip.
    const [claim, context, found] = await Promise.all([claimKey(trx, request), authorize(trx), find(trx)]);
    const stored = storedResponse<Result>(claim, request);
    if (stored) return replay ? replay(trx, context) : stored;
    const result = await work(trx, context, found);
    // Both are sent in this order, in one round trip.
    await Promise.all([storeResponse(trx, request, result), queueEvents(trx, context?.raisedEvents ?? [])]);
    isDone = true;
    return result;
  };
  try {
    const { key, scope, schoolId } = request;
    const response = await runSchoolOperationInTurn(String(schoolId ?? scope), () =>
      inTransaction(db, run, { isIdempotent: key !== undefined }),
    );
    if (isDone) committedOperationsChannel.publish(request.operation);
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
): Promise<Person & { isProved: boolean; hasWebhooks: boolean }> {
  const user = await findActorForShare(trx, actor);
  if (!user) throw new AppError('unauthorized', texts.unauthorized);
  if (actor.schoolId !== null && user.schoolId !== actor.schoolId) throw new AppError('forbidden', texts.forbidden);
  const current = { ...actor, ...user, hasWebhooks: Boolean(user.hasWebhooks) };
  if (needed !== 'anyRole') assertCan(current, needed);
  return current;
}

/** The channel that is told the name of each operation that was committed, and not answered from memory. */
export const committedOperationsChannel = channel('flightline:committed-operations');
