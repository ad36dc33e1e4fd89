import { db } from '../db.server.ts';
import type { Member } from '../domain/actor.ts';
import { findFlightLog } from '../domain/flights/queries.server.ts';
import { moment } from '../domain/format.server.ts';
import { Refusal } from '../domain/refusal.ts';
import { texts } from '../domain/texts.ts';

/** The flight that a page closes, cancels or corrects, as it is shown above the form. Throws 'notFound'. */
export async function flightAtHand(member: Member, id: number) {
  const log = await findFlightLog(db, member.schoolId, id);
  if (!log) throw new Refusal('notFound', texts.flightLogNotFound);
  const { aircraft, user, createdAt, startHobbsTime, startTachTime, endHobbsTime, endTachTime } = log;
  return {
    id,
    aircraft,
    pilot: user.username,
    started: moment(createdAt, member.timeZone),
    startHobbsTime,
    startTachTime,
    endHobbsTime: endHobbsTime ?? '',
    endTachTime: endTachTime ?? '',
  };
}
