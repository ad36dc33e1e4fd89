import type { Db } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { findAircraft, findLastReadings, type LastReading } from '../aircraft/queries.server.ts';
import { type Draft, findDraft, keepDraft } from '../drafts.server.ts';
import { dayAndMonth } from '../format.server.ts';
import { Refusal } from '../app-error.ts';
import type { CheckOut, Choices } from './check-out-draft.ts';
import { startReadings, type StartFlightFields } from './schema.server.ts';
import { findFlightScans } from '../meters/flight-scans.server.ts';
import { findRecentSquawks } from './queries.server.ts';
import { differenceWords, type RecordedReading } from './reading-flags.ts';
import { assertStartable, CHECK_OUT_DRAFT } from './start-flight.server.ts';

/** The pilot's check-out as drafted, or as `unsent` has it where that is of the same aircraft. */
export async function findCheckOut(db: Db, pilot: Member, unsent?: Draft): Promise<CheckOut> {
  const draft = await findDraft(db, pilot.id, CHECK_OUT_DRAFT);
  const choices = unsent && (!draft || unsent.aircraftId === draft.aircraftId) ? unsent : draft;
  const aircraft = (await findAircraft(db, pilot.schoolId, Number(choices?.aircraftId) || 0)) ?? null;
  const last = await findLastReadings(db, pilot.schoolId, aircraft?.id ?? 0);
  const flownSince = isOlder(choices?.readAt, last.hobbs) || isOlder(choices?.readAt, last.tach);
  const read = flownSince ? undefined : choices;
  const scanIds = { hobbs: read?.startHobbsScan, tach: read?.startTachScan };
  return {
    aircraft,
    startHobbsTime: read?.startHobbsTime ?? '',
    startTachTime: read?.startTachTime ?? '',
    scans: await findFlightScans(db, pilot.schoolId, aircraft?.id ?? 0, scanIds),
    last: { hobbs: recordedReading(last.hobbs, pilot.timeZone), tach: recordedReading(last.tach, pilot.timeZone) },
    flownSince,
  };
}

/** Keeps the chosen aircraft; readings stay only with the aircraft they were taken from. */
export async function keepAircraft(db: Db, pilot: Member, aircraftId: number): Promise<void> {
  const draft = await findDraft(db, pilot.id, CHECK_OUT_DRAFT);
  const same = draft?.aircraftId === String(aircraftId);
  await keepDraft(db, pilot.id, CHECK_OUT_DRAFT, Object.entries({ ...(same && draft), aircraftId: String(aircraftId) }));
}

/** Keeps aircraft and readings, valid or not, with the time they were taken. */
export async function keepReadings(db: Db, pilot: Member, choices: Choices): Promise<void> {
  const readAt = new Date().toISOString();
  await keepDraft(db, pilot.id, CHECK_OUT_DRAFT, Object.entries({ ...choices, readAt }));
}

/** What the review shows beside the choices; undefined while earlier steps are incomplete. */
export async function reviewOf(db: Db, pilot: Member, checkOut: CheckOut) {
  const { aircraft, startHobbsTime, startTachTime, last } = checkOut;
  const hobbs = startReadings.startHobbsTime.safeParse(startHobbsTime);
  const tach = startReadings.startTachTime.safeParse(startTachTime);
  if (!aircraft || !hobbs.success || !tach.success) return undefined;
  return {
    startHobbsTime: hobbs.data,
    startTachTime: tach.data,
    differences: {
      hobbs: differenceWords(last.hobbs, hobbs.data) ?? null,
      tach: differenceWords(last.tach, tach.data) ?? null,
    },
    squawks: await findRecentSquawks(db, pilot.schoolId, aircraft.id),
  };
}

export const READ_AGAIN = 'Please read the meter again and tick the box.';

/**
 * Holds a start whose readings differ from the last ones until the pilot has looked again (C06).
 * Throws 'invalid' beside the tick; as `assertStartable` where the flight could not be started anyway.
 */
export async function assertReadAgain(db: Db, pilot: Member, input: StartFlightFields, readAgain: boolean) {
  const last = await findLastReadings(db, pilot.schoolId, input.aircraftId);
  const differ =
    differenceWords(recordedReading(last.hobbs, pilot.timeZone), input.startHobbsTime) ??
    differenceWords(recordedReading(last.tach, pilot.timeZone), input.startTachTime);
  if (readAgain || differ === undefined) return;
  await assertStartable(db, pilot, input.aircraftId);
  throw new Refusal('invalid', READ_AGAIN, { readAgain: READ_AGAIN });
}

/** A last reading in the words of a page; null where there is none. */
export function recordedReading(reading: LastReading | null, timeZone: string): RecordedReading | null {
  return reading && { ...reading, on: reading.at && dayAndMonth(reading.at, timeZone) };
}

function isOlder(readAt: string | undefined, reading: LastReading | null): boolean {
  return Boolean(readAt && reading?.at && new Date(readAt) < reading.at);
}
