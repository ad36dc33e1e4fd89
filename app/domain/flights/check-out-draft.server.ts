import type { Db } from '#db/connect.server.ts';
import type { Actor, Member } from '../actor.ts';
import type { Aircraft } from '../aircraft/schema.server.ts';
import { findAircraft, findAircraftRow, findLastReadings, type LastReading } from '../aircraft/queries.server.ts';
import { changeDraft, type Draft, findDraft, type SavedDraft } from '../drafts.server.ts';
import { formatDayAndMonth } from '../format.server.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { TYPED_AT } from '../typed-forms/field-names.ts';
import { startReadingInputSchemas } from '../readings/input-schemas.server.ts';
import type { StartFlightInput } from './schema.server.ts';
import { type FlightScans, findFlightScans } from '../meters/flight-scans.server.ts';
import { findRecentSquawks } from './queries.server.ts';
import { photosOf } from '../readings/end-context.server.ts';
import type { LastReadingView } from '../readings/last-reading-view.ts';
import { describeOddStarts } from '../readings/describe-odd-starts.ts';
import { assertStartable, CHECK_OUT_DRAFT_KEY, findStartFlags } from './start-flight.server.ts';
import { findStartWarnings, missingTicks, type StartConfirmations } from './start-warnings.server.ts';

export interface CheckOutFormValues {
  aircraftId?: string;
  startHobbsTime?: string;
  startTachTime?: string;
  /** Ids of the scans that filled the readings. */
  startHobbsScan?: string;
  startTachScan?: string;
  /** Names of photos that were chosen and not read. */
  startHobbsPhoto?: string;
  startTachPhoto?: string;
  /** Time in the school's zone, as inputs have it. */
  departedAt?: string;
  [TYPED_AT]?: string;
}

export interface CheckOutDraft {
  /** Null if it is not selected yet, or was removed from the fleet since. */
  aircraft: Aircraft | null;
  /** Readings as entered; '' if not. */
  startHobbsTime: string;
  startTachTime: string;
  departedAt: string;
  photos: { startHobbsPhoto: string; startTachPhoto: string };
  scans: FlightScans;
  last: { hobbs: LastReadingView | null; tach: LastReadingView | null };
  /** True if the aircraft has flown since the readings were entered, which drops them. */
  hasFlownSince: boolean;
}

/** Finds the pilot's draft, or the parked form if it is of the same aircraft. */
export async function findCheckOutDraft(db: Db, pilot: Actor, parkedForm?: Draft): Promise<CheckOutDraft> {
  const draft = await findDraft(db, pilot.id, CHECK_OUT_DRAFT_KEY);
  const values = parkedForm && (!draft || parkedForm.aircraftId === draft.aircraftId) ? parkedForm : draft;
  const aircraft = (await findAircraft(db, pilot.schoolId, Number(values?.aircraftId) || 0)) ?? null;
  const last = await findLastReadings(db, pilot.schoolId, aircraft?.id ?? 0);
  const hasFlownSince = isOlderThan(values?.readAt, last.hobbs) || isOlderThan(values?.readAt, last.tach);
  const read = hasFlownSince ? undefined : values;
  const scanIds = { hobbs: read?.startHobbsScan, tach: read?.startTachScan };
  return {
    aircraft,
    startHobbsTime: read?.startHobbsTime ?? '',
    startTachTime: read?.startTachTime ?? '',
    departedAt: read?.departedAt ?? '',
    photos: { startHobbsPhoto: read?.startHobbsPhoto ?? '', startTachPhoto: read?.startTachPhoto ?? '' },
    scans: await findFlightScans(db, pilot.schoolId, aircraft?.id ?? 0, scanIds),
    last: { hobbs: toLastReadingView(last.hobbs, pilot.timeZone), tach: toLastReadingView(last.tach, pilot.timeZone) },
    hasFlownSince,
  };
}

/** Saves the aircraft, and drops readings of another one. */
export async function saveSelectedAircraft(db: Db, pilot: Member, id: number): Promise<void> {
  const aircraftId = String(id);
  await changeDraft(db, pilot, CHECK_OUT_DRAFT_KEY, (former) =>
    Object.entries({ ...(former.aircraftId === aircraftId && former), aircraftId }),
  );
}

/** Saves the values, valid or not, with the time of reading; a departure stays where they have none. */
export function saveReadings(db: Db, pilot: Member, values: CheckOutFormValues, since?: Date): Promise<SavedDraft> {
  const change = (former: Draft) => {
    const { departedAt = '' } = former.aircraftId === values.aircraftId ? former : {};
    return Object.entries({ departedAt, ...values, readAt: new Date().toISOString() });
  };
  return changeDraft(db, pilot, CHECK_OUT_DRAFT_KEY, change, since);
}

/** Saves the departure and leaves the readings as they are, with their time. */
export function saveDeparture(
  db: Db,
  pilot: Member,
  { aircraftId, departedAt, [TYPED_AT]: typedAt }: CheckOutFormValues,
  since?: Date,
): Promise<SavedDraft> {
  const change = (former: Draft) =>
    former.aircraftId === aircraftId ? Object.entries({ ...former, departedAt, [TYPED_AT]: typedAt }) : undefined;
  return changeDraft(db, pilot, CHECK_OUT_DRAFT_KEY, change, since);
}

/** Finds what the last step shows; undefined while earlier steps are incomplete. */
export async function findReview(db: Db, pilot: Actor, checkOutDraft: CheckOutDraft) {
  const { aircraft, startHobbsTime, startTachTime, last, scans } = checkOutDraft;
  const hobbs = startReadingInputSchemas.startHobbsTime.safeParse(startHobbsTime);
  const tach = startReadingInputSchemas.startTachTime.safeParse(startTachTime);
  if (!aircraft || !hobbs.success || !tach.success) return undefined;
  return {
    startHobbsTime: hobbs.data,
    startTachTime: tach.data,
    differences: describeOddStarts({ hobbs: hobbs.data, tachometer: tach.data }, last, photosOf(scans)),
    recentNotes: await findRecentSquawks(db, pilot.schoolId, aircraft.id),
    warnings: await findStartWarnings(db, pilot, {
      aircraftId: aircraft.id,
      startHobbsTime: hobbs.data,
      startTachTime: tach.data,
    }),
  };
}

/** Throws 'invalid' at each checkbox that is missing, or as `assertStartable` does. */
export async function assertStartConfirmed(
  db: Db,
  pilot: Member,
  input: StartFlightInput,
  { readAgain = false, ...ticks }: StartConfirmations & { readAgain?: boolean | undefined },
): Promise<void> {
  const missing = {
    ...(!readAgain && (await isOdd(db, pilot, input)) && { readAgain: texts.readAgain }),
    ...missingTicks(await findStartWarnings(db, pilot, input), ticks),
  };
  if (Object.keys(missing).length === 0) return;
  await assertStartable(db, pilot, input.aircraftId);
  throw new AppError('invalid', Object.values(missing).join('\n'), missing);
}

async function isOdd(db: Db, pilot: Member, input: StartFlightInput): Promise<boolean> {
  const aircraft = await findAircraftRow(db, pilot.schoolId, input.aircraftId);
  return aircraft !== undefined && (await findStartFlags(db, pilot, aircraft, input)).length > 0;
}

export function toLastReadingView(reading: LastReading | null, timeZone: string): LastReadingView | null {
  return reading && { ...reading, on: reading.at && formatDayAndMonth(reading.at, timeZone) };
}

function isOlderThan(readAt: string | undefined, reading: LastReading | null): boolean {
  return Boolean(readAt && reading?.at && new Date(readAt) < reading.at);
}
