import { randomUUID } from 'node:crypto';
import { redirect } from '@remix-run/node';
import { z } from 'zod';
import type { MeterType } from '#db/tables.ts';
import { db } from '#app/server/db.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { fileNamesByField } from '#app/domain/typed-forms/field-names.ts';
import { findMatchingScans, type FlightScans } from '#app/domain/meters/flight-scans.server.ts';
import { requireAircraftRow } from '#app/domain/aircraft/queries.server.ts';
import { scanMeter } from '#app/domain/meters/scan-meter.server.ts';
import { readingDetectedToast, toScanView } from '#app/domain/meters/scan-view.ts';
import { AppError, throwOnField } from '#app/domain/app-error.ts';
import { fingerprint } from '#app/domain/idempotency.server.ts';
import { texts } from '#app/domain/texts.ts';
import { redirectWithToast } from '#app/server/flash.server.ts';
import { handleForm } from '#app/server/screen.server.ts';
import { KeptFormAnswer } from '#app/server/posted-forms.server.ts';

export interface MeterFields {
  name: 'hobbs' | 'tach';
  meterType: MeterType;
  reading: string;
  photo: string;
  scan: string;
  choice: string;
}

const meterFieldsAt = (when: 'start' | 'end'): MeterFields[] => [
  {
    name: 'hobbs',
    meterType: 'hobbs',
    reading: `${when}HobbsTime`,
    photo: `${when}HobbsPhoto`,
    scan: `${when}HobbsScan`,
    choice: `${when}HobbsChoice`,
  },
  {
    name: 'tach',
    meterType: 'tachometer',
    reading: `${when}TachTime`,
    photo: `${when}TachPhoto`,
    scan: `${when}TachScan`,
    choice: `${when}TachChoice`,
  },
];

export const START_METERS = meterFieldsAt('start');
export const END_METERS = meterFieldsAt('end');

/** Fills in the last figures that were chosen; a reading that was typed since the page came stays as it is. */
export function fillInChosenReadings(form: FormData, meters: MeterFields[]): void {
  for (const { reading, choice } of meters) {
    const [, shown = '', chosen] = /^(.*) (\S+)$/.exec(String(form.get(choice) ?? '')) ?? [];
    form.delete(choice);
    if (chosen && String(form.get(reading) ?? '').trim() === shown.trim()) form.set(reading, chosen);
  }
}

/** Finds the meter whose photo to read: its button was pressed, or it has a photo but no reading. */
export function findMeterToRead(form: FormData, meters: MeterFields[]): MeterFields | undefined {
  const intent = form.get('intent');
  const asked = meters.find(({ name }) => intent === `read-${name}` || intent === `use-other-${name}`);
  return (
    asked ?? meters.find(({ reading, photo }) => String(form.get(reading) ?? '').trim() === '' && hasFile(form, photo))
  );
}

interface PhotoReadRequest {
  pilot: Member;
  form: FormData;
  aircraftId: number;
  meter: MeterFields;
  /** Name of the form, and where it is shown with what was read. */
  draft: string;
  to: string;
}

/** Redirects to the form with the reading filled in, or answers with an error of the photo field. */
export function handlePhotoRead({ pilot, form, aircraftId, meter, draft, to }: PhotoReadRequest) {
  const keep = async (filled: Record<string, string>, answer: () => Response | Promise<Response>) => {
    await saveDraft(db, pilot, draft, [...form, ...Object.entries(filled)]);
    return new KeptFormAnswer(await answer());
  };
  return handleForm(
    { form },
    {
      schema: z.object({}),
      failed: texts.readingFailed,
      run: async ({ requestId }) => {
        if (form.get('intent') === `use-other-${meter.name}`) {
          return keep(await findOtherReading(pilot, aircraftId, form, meter), () => redirect(to, 303));
        }
        const scan = await scanFormPhoto(pilot, form, aircraftId, meter, requestId).catch((error: unknown) =>
          throwOnField(error, meter.photo),
        );
        const filled = scan.detectedText === '' ? {} : { [meter.reading]: scan.detectedText };
        const toast = { id: randomUUID(), ...readingDetectedToast(scan) };
        return keep({ ...filled, [meter.scan]: String(scan.id), [meter.photo]: '' }, () =>
          redirectWithToast(to, toast),
        );
      },
    },
  );
}

/** Returns what else the scan that filled the reading may show; nothing without one. */
async function findOtherReading(
  { schoolId }: Member,
  aircraftId: number,
  form: FormData,
  { name, reading, scan }: MeterFields,
): Promise<Record<string, string>> {
  const ids = { hobbs: null, tach: null, [name]: form.get(scan) };
  const { otherText } = (await findMatchingScans(db, schoolId, aircraftId, ids))[name] ?? {};
  return otherText == null ? {} : { [reading]: otherText };
}

export function toScanViews({ hobbs, tach }: FlightScans) {
  return { hobbs: hobbs && toScanView(hobbs), tach: tach && toScanView(tach) };
}

/** Returns what was entered, without what the form says of itself; of files, their names. */
export function enteredValuesOf(form: FormData): Record<string, string> {
  const entered = [...Object.entries(fileNamesByField(form)), ...form].filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  return Object.fromEntries(entered.filter(([name]) => name !== 'intent' && name !== 'requestId'));
}

/** Reads photos that came with typed readings; returns the fields of their scans, which check the readings. */
export async function scanPhotosOfTypedReadings(
  pilot: Member,
  form: FormData,
  aircraftId: number,
  meters: MeterFields[],
  requestId: string | undefined,
): Promise<string[]> {
  const scanned: string[] = [];
  for (const meter of meters) {
    if (form.get(meter.scan) || !hasFile(form, meter.photo) || findMeterToRead(form, [meter])) continue;
    const scan = await scanFormPhoto(pilot, form, aircraftId, meter, requestId).catch((error: unknown) => {
      // A photo without a reading is no reason to refuse what was typed.
      if (error instanceof AppError && error.code === 'invalid') return undefined;
      throw error;
    });
    if (!scan) continue;
    form.set(meter.scan, String(scan.id));
    scanned.push(meter.scan);
  }
  return scanned;
}

async function scanFormPhoto(
  pilot: Member,
  form: FormData,
  aircraftId: number,
  { photo, meterType }: MeterFields,
  requestId: string | undefined,
) {
  await requireAircraftRow(db, pilot, aircraftId);
  const file = form.get(photo);
  if (!(file instanceof File) || file.size === 0) throw new AppError('invalid', 'Please choose a photo of the meter');
  const image = Buffer.from(await file.arrayBuffer());
  // A form that went back in the browser may bring another photo under the same id.
  const key = requestId && `${requestId}:${fingerprint(image)}`;
  const scan = await scanMeter(db, pilot, { aircraftId, meterType, image }, key);
  if (scan.id === null) throw new AppError('invalid', texts.nothingDetected);
  return scan;
}

/** Returns the meter that `?read=` names, whose field takes the focus. */
export function parseMeterJustRead(url: URL): MeterFields['name'] | null {
  const read = url.searchParams.get('read');
  return read === 'hobbs' || read === 'tach' ? read : null;
}

function hasFile(form: FormData, name: string): boolean {
  const file = form.get(name);
  return file instanceof File && file.size > 0;
}
