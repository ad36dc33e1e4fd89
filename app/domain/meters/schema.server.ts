import { z } from 'zod';
import { OTHER_KINDS } from '#db/tables.ts';
import { MAX_IMAGE_DATA_CHARACTERS } from '#app/limits.ts';
import { aircraftIdentitySchema } from '../aircraft/schema.server.ts';
import { AppError } from '../app-error.ts';
import { idInputSchema, idSchema, photoPathSchema, timestampSchema } from '../field-schemas.server.ts';
import { METER_TYPES } from '../readings/meters.ts';
import { texts } from '../texts.ts';
import type { Figure } from './figures.ts';

const MISSING = 'Please select an aircraft and image';

export const meterTypeSchema = z.enum(METER_TYPES, 'Invalid meter type');

const confidenceSchema = z
  .string()
  .regex(/^(0(\.\d+)?|1(\.0+)?)$/)
  .describe('A decimal string, 0 to 1');

const figureSchema = z.strictObject({
  figure: z.string().regex(/^\d$/),
  confidence: confidenceSchema,
  other: z.string().regex(/^\d$/).nullable().describe('What it may be instead; null where it is not in doubt'),
  choices: z
    .array(z.string().regex(/^\d$/))
    .describe('Both figures to choose from, in the order of the drum, where it is in doubt; else none'),
}) satisfies z.ZodType<Figure>;

export const scanSchema = z.strictObject({
  id: idSchema,
  aircraft: aircraftIdentitySchema,
  meterType: meterTypeSchema,
  detectedText: z
    .string()
    .describe('Empty where the counter that fits the last reading was not found, and another one was'),
  confidence: confidenceSchema.describe('A decimal string, 0 to 1; of `otherText` where the detected text is empty'),
  otherText: z
    .string()
    .nullable()
    .describe(
      'What the photo alone shows, where the last reading made another one likelier; else another counter in it',
    ),
  otherKind: z.enum(OTHER_KINDS).nullable().describe('Which counter the other text is of; null without one'),
  figures: z
    .array(figureSchema)
    .describe(
      'The figures of the counter from left to right, leading zeros and tenths included; none of a scan without',
    ),
  photo: photoPathSchema,
  crop: photoPathSchema.nullable().describe('The counter as it was read'),
  createdAt: timestampSchema,
});

/** The answer for a photo of which nothing is stored. */
export const nothingDetectedSchema = z.strictObject({
  id: z.null(),
  detectedText: z.literal(''),
  confidence: z.literal('0'),
});

const aircraftIdInputSchema = idInputSchema(MISSING);

/** Parses an id and ignores anything else, since users do not enter it. */
export const scanIdInputSchema = z
  .unknown()
  .transform((value) => aircraftIdInputSchema.safeParse(Number(textOf(value))).data);

const NOT_A_FRAME = 'The frame must be fractions of the image, from 0 to 1';
const NOT_BASE64 = 'The image must be base64 without a data prefix';

const fraction = z.number(NOT_A_FRAME).min(0, NOT_A_FRAME).max(1, NOT_A_FRAME);

/** Parses fractions of the image's width and height from its upper left corner. */
const frameSchema = z.object({ x: fraction, y: fraction, width: fraction, height: fraction }, NOT_A_FRAME);

/** Parses 'x y width height' and ignores anything else, since users do not enter it. */
const frameInputSchema = z.unknown().transform((value) => {
  const [x, y, width, height] = textOf(value).split(' ').map(Number);
  return frameSchema.safeParse({ x, y, width, height }).data;
});

const scanTargetSchema = z.object({ aircraftId: aircraftIdInputSchema, meterType: meterTypeSchema });

export const framedScanTargetSchema = scanTargetSchema.extend({ frame: frameSchema.optional() });

export const imageDataSchema = z
  .string(MISSING)
  .min(1, { error: MISSING, abort: true })
  // White space is removed first, because a pattern that allows it would backtrack.
  .overwrite((base64) => base64.replace(/\s+/g, ''))
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, NOT_BASE64)
  .transform((base64) => Buffer.from(base64, 'base64'))
  .refine((bytes) => bytes.length > 0, NOT_BASE64);

/** Decodes an image. Throws 'tooLarge' past MAX_IMAGE_DATA_CHARACTERS, 'invalid' for what is not base64. */
export function decodeImageData(imageData: unknown): Buffer {
  if (typeof imageData === 'string' && imageData.length > MAX_IMAGE_DATA_CHARACTERS) {
    throw new AppError('tooLarge', texts.photoTooLarge);
  }
  const result = imageDataSchema.safeParse(imageData);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new AppError('invalid', issue?.message ?? MISSING, { imageData: issue?.message ?? MISSING });
}

const selectedFileSchema = z.file(MISSING).refine((file) => file.size > 0, MISSING);

export const scanFormSchema = z.object({
  ...scanTargetSchema.shape,
  frame: frameInputSchema.optional(),
  image: selectedFileSchema,
});

export type Scan = z.infer<typeof scanSchema>;
export type NothingDetected = z.infer<typeof nothingDetectedSchema>;
export type ScanFormValues = z.input<typeof scanFormSchema>;
export type ScanTarget = z.output<typeof framedScanTargetSchema>;

/** Returns the text; '' for objects, which may throw where a text is made of them. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
