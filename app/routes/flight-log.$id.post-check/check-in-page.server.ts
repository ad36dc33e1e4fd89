import { data } from '@remix-run/node';
import type { Actor } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import type { UnsentForms } from '#app/domain/drafts.server.ts';
import { findFlightLog, requireFlightRow } from '#app/domain/flights/queries.server.ts';
import type { FlightLog } from '#app/domain/flights/schema.server.ts';
import { findMatchingScans } from '#app/domain/meters/flight-scans.server.ts';
import { findEndReadingBaseline } from '#app/domain/readings/end-context.server.ts';
import { texts } from '#app/domain/texts.ts';
import { toSchoolTime } from '#app/domain/times/school-time.server.ts';
import { findConflictText } from '#app/features/flights/flight-summary.server.ts';
import { GROUND_SCHOOL_OPTIONS, loadInstructorOptions } from '#app/features/flights/form/instructor-options.server.ts';
import { parseMeterJustRead, toScanViews } from '#app/features/meters/photo-form.server.ts';
import { db } from '#app/server/db.server.ts';
import { newFormRequestId } from '#app/server/screen.server.ts';
import { CHECK_IN_RETRY_DELAY_MS } from '#db/deadlines.ts';
import type { MeterType } from '#db/tables.ts';
import { pauseBeforeRetry } from '#db/waiting-budget.ts';
import { assertOpenOwnFlight } from './check-in.server.ts';

export async function loadCheckInPage(actor: Actor, id: number, url: URL, unsent: UnsentForms) {
  const { log, context, conflict } = await loadFlightToCheckIn(actor, id);
  const { aircraft, status, startHobbsTime, startTachTime, createdAt, departedAt } = log;
  const { timeZone } = actor;
  const page = {
    flight: {
      ...{ id, aircraft, status, startHobbsTime, startTachTime },
      checkedOutAt: toSchoolTime(createdAt, timeZone),
      departedAt: departedAt === createdAt ? '' : toSchoolTime(departedAt, timeZone),
    },
    isStartOdd: oddStartsOf(log),
    context,
    conflict,
    scans: await loadScans(actor, unsent, aircraft.id),
    meterJustRead: parseMeterJustRead(url),
    instructors: await loadInstructorOptions(actor),
    groundSchoolTimes: GROUND_SCHOOL_OPTIONS,
    requestId: newFormRequestId(),
  };
  return data(page, { status: conflict === null ? 200 : 409 });
}

/** Loads the flight, with one retry; `conflict` says why it cannot be checked in any more. */
async function loadFlightToCheckIn(actor: Actor, id: number) {
  const load = () => findFlightToCheckIn(actor, id);
  return load().catch(async (error: unknown) => {
    if (error instanceof AppError || !(await pauseBeforeRetry(CHECK_IN_RETRY_DELAY_MS))) throw error;
    return load();
  });
}

/** Finds the scans of the photos that were read into the form, which was not sent. */
async function loadScans(actor: Actor, unsent: UnsentForms, aircraftId: number) {
  const { endHobbsScan: hobbs, endTachScan: tach } = (unsent['check-in'] ?? unsent[''])?.values ?? {};
  return toScanViews(await findMatchingScans(db, actor.schoolId, aircraftId, { hobbs, tach }));
}

async function findFlightToCheckIn(actor: Actor, id: number) {
  const conflict = await findConflictText(() => assertOpenOwnFlight(actor, id));
  const log = await findFlightLog(db, actor.schoolId, id, { includeCancelled: true });
  if (!log) throw new AppError('notFound', texts.checkInNotFound);
  return { log, context: await findEndReadingBaseline(db, await requireFlightRow(db, actor, id)), conflict };
}

function oddStartsOf({ readingFlags }: FlightLog) {
  const isOdd = (meter: MeterType) => readingFlags.some((flag) => flag.meter === meter && flag.at === 'start');
  return { hobbs: isOdd('hobbs'), tach: isOdd('tachometer') };
}
