import type { Db } from '#db/connect.server.ts';
import type { Actor, Member } from '../actor.ts';
import { findAircraft, findLastReadings, type LastReading } from '../aircraft/queries.server.ts';
import { findDraft, saveDraft, type TypedForm, type UnsentForms } from '../drafts.server.ts';
import { idSchema } from '../field-schemas.server.ts';
import { formatDayAndMonth } from '../format.server.ts';
import { startReadingInputSchemas } from '../readings/input-schemas.server.ts';
import { findMatchingScans } from '../meters/flight-scans.server.ts';
import { findRecentSquawks } from './queries.server.ts';
import { photoReadingsOf } from '../readings/end-context.server.ts';
import {
  checkStart,
  differenceText,
  flagText,
  type LastReadingView,
  type PhotoReadings,
} from '../readings/check-start.ts';
import { CHECK_OUT_DRAFT_KEY, REVIEW_DRAFT_KEY, UNAVAILABLE_TEXTS } from './start-flight.server.ts';
import { findStartWarnings } from './start-warnings.server.ts';
import type { MeterReadings } from '../readings/meters.ts';

export type CheckOutDraft = Awaited<ReturnType<typeof findCheckOutDraft>>;

/** Finds what was typed into the steps, or `parked`, posted after the session, of the same aircraft; of none but `chosenId`. */
export async function findCheckOutDraft(
  db: Db,
  pilot: Actor,
  { 'read-meters': readings, review }: UnsentForms,
  parked?: TypedForm,
  chosenId?: number,
) {
  const isParked = parked && (!readings || parked.values.aircraftId === readings.values.aircraftId);
  const typed = isParked ? parked : readings;
  const chosen = chosenId === undefined ? undefined : { aircraftId: String(chosenId) };
  const isOther = chosen !== undefined && typed?.values.aircraftId !== chosen.aircraftId;
  const {
    values = chosen,
    savedAt,
    isElsewhere: isReadElsewhere = false,
  }: Partial<TypedForm> = (isOther ? undefined : typed) ?? {};
  const aircraft = (await findAircraft(db, pilot.schoolId, toId(values?.aircraftId))) ?? null;
  const last = await findLastReadings(db, pilot.schoolId, aircraft?.id ?? 0);
  const hasFlownSince = isOlderThan(savedAt, last.hobbs) || isOlderThan(savedAt, last.tach);
  const read = hasFlownSince ? undefined : values;
  const reviewed = review?.values.aircraftId === values?.aircraftId ? review : undefined;
  const scanIds = { hobbs: read?.startHobbsScan, tach: read?.startTachScan };
  return {
    aircraft,
    startHobbsTime: read?.startHobbsTime ?? '',
    startTachTime: read?.startTachTime ?? '',
    departedAt: reviewed?.values.departedAt ?? read?.departedAt ?? '',
    photos: { startHobbsPhoto: read?.startHobbsPhoto ?? '', startTachPhoto: read?.startTachPhoto ?? '' },
    scans: await findMatchingScans(db, pilot.schoolId, aircraft?.id ?? 0, scanIds),
    last: { hobbs: toLastReadingView(last.hobbs, pilot.timeZone), tach: toLastReadingView(last.tach, pilot.timeZone) },
    hasFlownSince,
    elsewhere: {
      aircraft: isReadElsewhere && aircraft !== null,
      readings: isReadElsewhere && Boolean(read?.startHobbsTime || read?.startTachTime),
      departure: reviewed?.isElsewhere === true && reviewed.values.departedAt !== '',
    },
  };
}

/** Begins a draft with the aircraft, unless there is one of it. */
export async function saveSelectedAircraft(db: Db, pilot: Member, id: number): Promise<void> {
  const { values } = await findDraft(db, pilot.id, CHECK_OUT_DRAFT_KEY);
  if (values?.aircraftId !== String(id)) await saveDraft(db, pilot, CHECK_OUT_DRAFT_KEY, [['aircraftId', String(id)]]);
}

/** Saves what was reviewed, with its readings, which another tab may have changed. */
export async function saveReviewDrafts(db: Db, pilot: Member, form: FormData): Promise<void> {
  for (const name of [CHECK_OUT_DRAFT_KEY, REVIEW_DRAFT_KEY]) await saveDraft(db, pilot, name, form);
}

/** Finds what the last step shows; undefined while earlier steps are incomplete. */
export async function findCheckOutReview(db: Db, pilot: Actor, checkOutDraft: CheckOutDraft) {
  const { aircraft, startHobbsTime, startTachTime, last, scans } = checkOutDraft;
  const hobbs = startReadingInputSchemas.startHobbsTime.safeParse(startHobbsTime);
  const tach = startReadingInputSchemas.startTachTime.safeParse(startTachTime);
  if (!aircraft || !hobbs.success || !tach.success) return undefined;
  return {
    startHobbsTime: hobbs.data,
    startTachTime: tach.data,
    differences: describeOddStarts({ hobbs: hobbs.data, tachometer: tach.data }, last, photoReadingsOf(scans)),
    unavailableText: aircraft.status && UNAVAILABLE_TEXTS[aircraft.status],
    recentNotes: await findRecentSquawks(db, pilot.schoolId, aircraft.id),
    warnings: await findStartWarnings(db, pilot, {
      aircraftId: aircraft.id,
      startHobbsTime: hobbs.data,
      startTachTime: tach.data,
    }),
  };
}

export function toLastReadingView(reading: LastReading | null, timeZone: string): LastReadingView | null {
  return reading && { ...reading, on: reading.at && formatDayAndMonth(reading.at, timeZone) };
}

function toId(typed: string | undefined): number {
  return idSchema.safeParse(Number(typed)).data ?? 0;
}

function isOlderThan(savedAt: Date | undefined, reading: LastReading | null): boolean {
  return Boolean(savedAt && reading?.at && savedAt < reading.at);
}

type LastReadings = Record<'hobbs' | 'tach', LastReadingView | null>;

function describeOddStarts(starts: MeterReadings, last: LastReadings, photos: PhotoReadings) {
  const values = { hobbs: last.hobbs?.value ?? null, tachometer: last.tach?.value ?? null };
  const flags = checkStart(starts, { last: values, photos });
  const noteOf = (meter: keyof MeterReadings, lastReading: LastReadingView | null) => {
    const flag = flags.find((each) => each.meter === meter);
    if (!flag) return null;
    const isDifference = flag.kind === 'below' || flag.kind === 'gap';
    return (isDifference ? differenceText(lastReading, flag.reading) : flagText(flag)) ?? null;
  };
  return { hobbs: noteOf('hobbs', last.hobbs), tach: noteOf('tachometer', last.tach) };
}
