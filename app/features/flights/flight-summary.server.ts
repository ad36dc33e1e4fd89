import { db } from '#app/server/db.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';

/** The flight that a page closes, cancels or corrects, as it is shown above the form. Throws 'notFound'. */
export async function loadFlightSummary(member: Member, id: number) {
  const log = await findFlightLog(db, member.schoolId, id);
  if (!log) throw new AppError('notFound', texts.flightLogNotFound);
  const { aircraft, user, createdAt, startHobbsTime, startTachTime, endHobbsTime, endTachTime } = log;
  return {
    id,
    aircraft,
    pilot: user.username,
    started: formatDateTime(createdAt, member.timeZone),
    startHobbsTime,
    startTachTime,
    endHobbsTime: endHobbsTime ?? '',
    endTachTime: endTachTime ?? '',
  };
}
