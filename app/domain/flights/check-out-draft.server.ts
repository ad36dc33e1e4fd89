import type { Db } from '#db/connect.server.ts';
import type { Actor, Member } from '../actor.ts';
import { findAircraft, findLastReadings, type LastReading } from '../aircraft/queries.server.ts';
import { type Draft, findDraft, saveDraft } from '../drafts.server.ts';
import { formatDayAndMonth } from '../format.server.ts';
import { AppError } from '../app-error.ts';
import type { CheckOutDraft, CheckOutChoices } from './check-out-draft.ts';
import { startReadingInputs } from './reading-inputs.server.ts';
import type { StartFlightInput } from './schema.server.ts';
import { findFlightScans } from '../meters/flight-scans.server.ts';
import { findRecentSquawks } from './queries.server.ts';
import { differenceText, type LastReadingView } from './reading-flags.ts';
import { assertStartable, CHECK_OUT_DRAFT_KEY } from './start-flight.server.ts';

/** The pilot's check-out as drafted, or as `unsent` has it where that is of the same aircraft. */
export async function findCheckOutDraft(db: Db, pilot: Actor, unsent?: Draft): Promise<CheckOutDraft> {
  const draft = await findDraft(db, pilot.id, CHECK_OUT_DRAFT_KEY);
  const choices = unsent && (!draft || unsent.aircraftId === draft.aircraftId) ? unsent : draft;
  const aircraft = (await findAircraft(db, pilot.schoolId, Number(choices?.aircraftId) || 0)) ?? null;
  const last = await findLastReadings(db, pilot.schoolId, aircraft?.id ?? 0);
  const flownSince = isOlderThan(choices?.readAt, last.hobbs) || isOlderThan(choices?.readAt, last.tach);
  const read = flownSince ? undefined : choices;
  const scanIds = { hobbs: read?.startHobbsScan, tach: read?.startTachScan };
  return {
    aircraft,
    startHobbsTime: read?.startHobbsTime ?? '',
    startTachTime: read?.startTachTime ?? '',
    scans: await findFlightScans(db, pilot.schoolId, aircraft?.id ?? 0, scanIds),
    last: { hobbs: toLastReadingView(last.hobbs, pilot.timeZone), tach: toLastReadingView(last.tach, pilot.timeZone) },
    flownSince,
  };
}

/** Keeps the chosen aircraft; readings stay only with the aircraft they were taken from. */
export async function saveAircraftChoice(db: Db, pilot: Member, aircraftId: number): Promise<void> {
  const draft = await findDraft(db, pilot.id, CHECK_OUT_DRAFT_KEY);
  const same = draft?.aircraftId === String(aircraftId);
  await saveDraft(
    db,
    pilot.id,
    CHECK_OUT_DRAFT_KEY,
    Object.entries({ ...(same && draft), aircraftId: String(aircraftId) }),
  );
}

/** Keeps aircraft and readings, valid or not, with the time they were taken. */
export async function saveReadings(db: Db, pilot: Member, choices: CheckOutChoices): Promise<void> {
  const readAt = new Date().toISOString();
  await saveDraft(db, pilot.id, CHECK_OUT_DRAFT_KEY, Object.entries({ ...choices, readAt }));
}

/** What the review shows beside the choices; undefined while earlier steps are incomplete. */
export async function findReview(db: Db, pilot: Actor, checkOut: CheckOutDraft) {
  const { aircraft, startHobbsTime, startTachTime, last } = checkOut;
  const hobbs = startReadingInputs.startHobbsTime.safeParse(startHobbsTime);
  const tach = startReadingInputs.startTachTime.safeParse(startTachTime);
  if (!aircraft || !hobbs.success || !tach.success) return undefined;
  return {
    startHobbsTime: hobbs.data,
    startTachTime: tach.data,
    differences: {
      hobbs: differenceText(last.hobbs, hobbs.data) ?? null,
      tach: differenceText(last.tach, tach.data) ?? null,
    },
    squawks: await findRecentSquawks(db, pilot.schoolId, aircraft.id),
  };
}

const READ_AGAIN_TEXT = 'Please read the meter again and tick the box.';

/**
 * Holds a start whose readings differ from the last ones until the pilot has looked again (C06).
 * Throws 'invalid' beside the tick; as `assertStartable` where the flight could not be started anyway.
 */
export async function assertDifferencesConfirmed(db: Db, pilot: Member, input: StartFlightInput, readAgain: boolean) {
  const last = await findLastReadings(db, pilot.schoolId, input.aircraftId);
  const differ =
    differenceText(toLastReadingView(last.hobbs, pilot.timeZone), input.startHobbsTime) ??
    differenceText(toLastReadingView(last.tach, pilot.timeZone), input.startTachTime);
  if (readAgain || differ === undefined) return;
  await assertStartable(db, pilot, input.aircraftId);
  throw new AppError('invalid', READ_AGAIN_TEXT, { readAgain: READ_AGAIN_TEXT });
}

/** A last reading in the words of a page; null where there is none. */
export function toLastReadingView(reading: LastReading | null, timeZone: string): LastReadingView | null {
  return reading && { ...reading, on: reading.at && formatDayAndMonth(reading.at, timeZone) };
}

function isOlderThan(readAt: string | undefined, reading: LastReading | null): boolean {
  return Boolean(readAt && reading?.at && new Date(readAt) < reading.at);
}
