import { data } from '@remix-run/node';
import type { Actor } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import { texts } from '#app/domain/texts.ts';
import { toSchoolTime } from '#app/domain/times/school-time.server.ts';
import { db } from '#app/server/db.server.ts';
import { newRequestId } from '#app/server/screen.server.ts';

/** Returns `conflict` as data, so that a form whose response was lost can be sent again. */
export async function loadFlightToChange(actor: Actor, id: number, assertChangeable: () => Promise<unknown>) {
  const conflict = await findConflict(assertChangeable);
  const flight = await loadFlightSummary(actor, id);
  return data({ flight, conflict, requestId: newRequestId() }, { status: conflict === null ? 200 : 409 });
}

/** Returns the text of the assertion's 409, or null. Throws its other errors. */
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
  const { aircraft, user, createdAt, startHobbsTime, startTachTime, completedAt, departedAt } = log;
  return {
    id,
    aircraft,
    pilot: user.username,
    started: formatDateTime(createdAt, timeZone),
    startHobbsTime,
    startTachTime,
    isOpen: completedAt === null,
    checkedOutAt: toSchoolTime(createdAt, timeZone),
    checkedInAt: completedAt === null ? '' : toSchoolTime(completedAt, timeZone),
    departedAt: departedAt === createdAt ? '' : toSchoolTime(departedAt, timeZone),
  };
}

const TIME_FIELDS = ['departedAt', 'landedAt'] as const;

/** Returns null for each time that the form was sent without, which then is the moment of the button. */
export function blankTimesAsNull(form: FormData): Partial<Record<(typeof TIME_FIELDS)[number], null>> {
  return Object.fromEntries(TIME_FIELDS.filter((name) => form.get(name) === '').map((name) => [name, null]));
}
