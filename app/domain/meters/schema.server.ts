import { z } from 'zod';

/** Meter types in the spec's words (spec §9); what a person calls them is on the screen. */
export const METER_TYPES = ['hobbs', 'tachometer'] as const;

const missing = 'Please select an aircraft and image';

export const meterType = z.enum(METER_TYPES, 'Invalid meter type');
export const aircraftId = z.number(missing).int(missing).positive(missing).max(2_147_483_647, missing);

/** The scan that a reading was filled from, as a form carries it; what is no id counts as none, since nobody types it. */
export const scanId = z.unknown().transform((given) => aircraftId.safeParse(Number(given)).data);

/** Characters of base64 that POST /api/analyze-image takes (C48). */
export const IMAGE_DATA_AT_MOST = 10 * 1024 * 1024;

const notAFrame = 'The frame must be fractions of the image, from 0 to 1';
const notBase64 = 'The image must be base64 without a data prefix';

const fraction = z.number(notAFrame).min(0, notAFrame).max(1, notAFrame);

/** Where in the image the counter is said to be, as fractions of its width and height from the upper left corner. */
export const frame = z.object({ x: fraction, y: fraction, width: fraction, height: fraction }, notAFrame);

/** The frame as the scan screen's form carries it, 'x y width height'; what is none counts as none, since nobody types it. */
const frameInForm = z.unknown().transform((given) => {
  const [x, y, width, height] = String(given).split(' ').map(Number);
  return frame.safeParse({ x, y, width, height }).data;
});

/** What a photo is of: an aircraft and a meter. */
export const scanTarget = z.object({ aircraftId, meterType });

/** What POST /api/analyze-image gives, the image aside. */
export const analysisTarget = scanTarget.extend({ frame: frame.optional() });

/** The image of POST /api/analyze-image, as bytes. */
export const imageData = z
  .string(missing)
  .min(1, { error: missing, abort: true })
  // White space goes first: a pattern that allows it beside the rest tries every way to share a megabyte of it.
  .overwrite((base64) => base64.replace(/\s+/g, ''))
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, notBase64)
  .transform((base64) => Buffer.from(base64, 'base64'))
  .refine((bytes) => bytes.length > 0, notBase64);

const chosenFile = z.file(missing).refine((file) => file.size > 0, missing);

/** The scan screen's form (spec §5). */
export const scanForm = z.object({ ...scanTarget.shape, frame: frameInForm.optional(), image: chosenFile });

export type ScanFields = z.input<typeof scanForm>;
export type ScanTarget = z.output<typeof analysisTarget>;
