import { data } from '@remix-run/node';
import type { Actor } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import { texts } from '#app/domain/texts.ts';
import { db } from '#app/server/db.server.ts';
import { newRequestId } from '#app/server/form-action.server.ts';

/**
 * The data of a page that changes a flight. `conflict` says why it cannot be changed now, with status 409; it is data
 * rather than an error, so that a form whose answer got lost after the commit can still be sent again.
 */
export async function loadFlightToChange(actor: Actor, id: number, assertChangeable: () => Promise<unknown>) {
  const conflict = await findConflict(assertChangeable);
  const flight = await loadFlightSummary(actor, id);
  return data({ flight, conflict, requestId: newRequestId() }, { status: conflict === null ? 200 : 409 });
}

/** The text of the 409 that the assertion throws; null if it passes. Other errors are thrown on. */
export async function findConflict(assertChangeable: () => Promise<unknown>): Promise<string | null> {
  try {
    await assertChangeable();
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return error.message;
    throw error;
  }
}

async function loadFlightSummary({ schoolId, timeZone }: Actor, id: number) {
  const log = await findFlightLog(db, schoolId, id, { includeCancelled: true });
  if (!log) throw new AppError('notFound', texts.flightLogNotFound);
  const { aircraft, user, createdAt, startHobbsTime, startTachTime, endHobbsTime, endTachTime } = log;
  return {
    id,
    aircraft,
    pilot: user.username,
    started: formatDateTime(createdAt, timeZone),
    startHobbsTime,
    startTachTime,
    endHobbsTime: endHobbsTime ?? '',
    endTachTime: endTachTime ?? '',
  };
}
