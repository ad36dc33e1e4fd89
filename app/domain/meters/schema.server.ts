import { z } from 'zod';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';

/** Meter types in the spec's words (spec §9); what a person calls them is on the screen. */
export const METER_TYPES = ['hobbs', 'tachometer'] as const;

const missing = 'Please select an aircraft and image';

const meterTypeSchema = z.enum(METER_TYPES, 'Invalid meter type');
const aircraftIdSchema = z.number(missing).int(missing).positive(missing).max(2_147_483_647, missing);

/** The scan that a reading was filled from, as a form carries it; what is no id counts as none, since nobody types it. */
export const scanIdSchema = z.unknown().transform((given) => aircraftIdSchema.safeParse(Number(given)).data);

/** Characters of base64 that POST /api/analyze-image takes (C48). */
export const MAX_IMAGE_DATA_CHARACTERS = 10 * 1024 * 1024;

const notAFrame = 'The frame must be fractions of the image, from 0 to 1';
const notBase64 = 'The image must be base64 without a data prefix';

const fraction = z.number(notAFrame).min(0, notAFrame).max(1, notAFrame);

/** Where in the image the counter is said to be, as fractions of its width and height from the upper left corner. */
const frameSchema = z.object({ x: fraction, y: fraction, width: fraction, height: fraction }, notAFrame);

/** The frame as the scan screen's form carries it, 'x y width height'; what is none counts as none, since nobody types it. */
const frameInForm = z.unknown().transform((given) => {
  const [x, y, width, height] = String(given).split(' ').map(Number);
  return frameSchema.safeParse({ x, y, width, height }).data;
});

/** What a photo is of: an aircraft and a meter. */
const scanTargetSchema = z.object({ aircraftId: aircraftIdSchema, meterType: meterTypeSchema });

/** What POST /api/analyze-image gives, the image aside. */
export const analyzeImageSchema = scanTargetSchema.extend({ frame: frameSchema.optional() });

/** The image of POST /api/analyze-image, base64 in, bytes out. */
export const imageDataSchema = z
  .string(missing)
  .min(1, { error: missing, abort: true })
  // White space goes first: a pattern that allows it beside the rest tries every way to share a megabyte of it.
  .overwrite((base64) => base64.replace(/\s+/g, ''))
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, notBase64)
  .transform((base64) => Buffer.from(base64, 'base64'))
  .refine((bytes) => bytes.length > 0, notBase64);

/** The image of POST /api/analyze-image. Throws 'tooLarge' past MAX_IMAGE_DATA_CHARACTERS, 'invalid' for what is not base64. */
export function decodeImageData(imageData: unknown): Buffer {
  if (typeof imageData === 'string' && imageData.length > MAX_IMAGE_DATA_CHARACTERS) {
    throw new AppError('tooLarge', texts.photoTooLarge);
  }
  const result = imageDataSchema.safeParse(imageData);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new AppError('invalid', issue?.message ?? missing, { imageData: issue?.message ?? missing });
}

const chosenFile = z.file(missing).refine((file) => file.size > 0, missing);

/** The scan screen's form (spec §5). */
export const scanFormSchema = z.object({ ...scanTargetSchema.shape, frame: frameInForm.optional(), image: chosenFile });

export type ScanFormValues = z.input<typeof scanFormSchema>;
export type ScanTarget = z.output<typeof analyzeImageSchema>;
