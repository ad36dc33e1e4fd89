import type { Db } from '#db/connect.server.ts';
import { AppError } from '../app-error.ts';
import { findUserByUsername } from '../people/queries.server.ts';
import type { SecondFactorKind } from '../people/second-factor/second-factors.server.ts';
import { can } from '../permissions.ts';
import { alertOncePerHour } from './alerts.server.ts';
import type { Action } from './actions.ts';
import { eventOrigin } from './event-origin.server.ts';
import type { EventRecorder } from './event-recorder.server.ts';

/** Records how a sign-in ended. Unknown names may be mistyped passwords and are never kept. */
export async function recordSignIn<Result extends { hasSecondFactor: boolean; mustUsePasskey: boolean }>(
  db: Db,
  recorder: EventRecorder,
  username: string,
  signingIn: Promise<Result>,
): Promise<Result> {
  const result = await recordRefusals(db, recorder, username, signingIn, REFUSALS);
  if (result.mustUsePasskey) recordOutcome(db, recorder, username, 'refused without passkey');
  else if (!result.hasSecondFactor) recordOutcome(db, recorder, username, 'signed in');
  return result;
}

/** Records how a sign-in with a passkey ended; without a name if nobody has the passkey. */
export async function recordPasskeySignIn<Result>(
  db: Db,
  recorder: EventRecorder,
  username: string | undefined,
  signingIn: Promise<Result>,
): Promise<Result> {
  const result = await recordRefusals(db, recorder, username ?? '', signingIn, PASSKEY_REFUSALS);
  recordOutcome(db, recorder, username ?? '', 'signed in by passkey');
  return result;
}

export async function recordSecondStep(
  db: Db,
  recorder: EventRecorder,
  username: string,
  checking: Promise<SecondFactorKind>,
): Promise<void> {
  const secondFactor = await recordRefusals(db, recorder, username, checking, REFUSALS);
  recordOutcome(db, recorder, username, 'signed in', { secondFactor });
}

async function recordRefusals<Result>(
  db: Db,
  recorder: EventRecorder,
  username: string,
  signingIn: Promise<Result>,
  refusals: Refusals,
): Promise<Result> {
  try {
    return await signingIn;
  } catch (error) {
    const action = error instanceof AppError ? refusals[error.code] : undefined;
    if (action) recordOutcome(db, recorder, username, action);
    throw error;
  }
}

type Refusals = Partial<Record<AppError['code'], Action>>;

const REFUSALS: Refusals = { unauthorized: 'failed to sign in', tooMany: 'locked out' };
const PASSKEY_REFUSALS: Refusals = { unauthorized: 'passkey refused', tooMany: 'locked out' };
const SUCCESSES: Action[] = ['signed in', 'signed in by passkey'];

function recordOutcome(
  db: Db,
  recorder: EventRecorder,
  username: string,
  action: Action,
  after?: { secondFactor: SecondFactorKind },
): void {
  const origin = eventOrigin();
  recorder.later(async () => {
    const user = await findUserByUsername(db, username);
    const isDone = SUCCESSES.includes(action);
    const userId = isDone ? (user?.id ?? null) : null;
    const subject = { subject: 'user', subjectId: user?.id } as const;
    const outcome = isDone ? 'done' : 'refused';
    const schoolId = user?.school_id ?? null;
    recorder.record({ action, schoolId, userId, outcome, after, ...subject }, origin);
    if (action === 'locked out' && user && can(user.role, 'manage school') && schoolId !== null)
      await alertOncePerHour(db, schoolId, { about: 'administrator locked out', userId: user.id });
  });
}
