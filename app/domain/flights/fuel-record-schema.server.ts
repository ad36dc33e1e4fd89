import { z } from 'zod';
import { MAX_FUEL_RECORDS, MAX_NOTES_CHARACTERS, MAX_OIL_QUARTS } from '#app/limits.ts';
import { strictObjectSchema, optionalTextInputSchema, photoPathSchema } from '../field-schemas.server.ts';
import { fuelNotesTooLongText, texts, tooManyFuelRecordsText } from '../texts.ts';

/** A fuel record; the oil's quantity is in quarts. */
export const fuelRecordSchema = z.strictObject({
  refueled: z.boolean(),
  fuelReceiptImage: photoPathSchema.nullable(),
  oilAdded: z.boolean(),
  oilQuantity: z.number().min(0).nullable(),
  notes: z.string(),
});

const quartsSchema = z.number(texts.oilQuantity).min(0, texts.oilQuantity).max(MAX_OIL_QUARTS, texts.oilQuantity);

/** Parses a number, or its text as '1.5' or '1,5'; '' means none. */
export const oilQuantityInputSchema = z
  .union([quartsSchema, z.string().transform(toQuarts).pipe(quartsSchema.nullable())], texts.oilQuantity)
  .transform((quarts) => quarts && Math.round(quarts * 10) / 10)
  .nullish();

export const fuelNotesInputSchema = optionalTextInputSchema(MAX_NOTES_CHARACTERS, fuelNotesTooLongText);

/** Parses base64 with or without its data prefix; '' means none. */
const receiptImageInputSchema = z
  .string(texts.photoUnreadable)
  .transform((image) => (image === '' ? null : Buffer.from(image.replace(/^data:[^,]{0,100},/, ''), 'base64')))
  .nullish();

/** The receipt becomes bytes, not yet decoded. */
const fuelRecordInputSchema = strictObjectSchema({
  refueled: z.boolean('Refueled must be yes or no').nullish(),
  fuelReceiptImage: receiptImageInputSchema,
  oilAdded: z.boolean('Oil added must be yes or no').nullish(),
  oilQuantity: oilQuantityInputSchema,
  notes: fuelNotesInputSchema,
});

export const fuelRecordsInputSchema = z
  .array(fuelRecordInputSchema, 'Fuel records must be a list')
  .max(MAX_FUEL_RECORDS, tooManyFuelRecordsText)
  .nullish();

export const fuelRecordsWithoutReceiptsSchema = z
  .array(fuelRecordInputSchema.omit({ fuelReceiptImage: true }), 'Fuel records must be a list')
  .max(MAX_FUEL_RECORDS, tooManyFuelRecordsText)
  .nullish();

export type FuelRecord = z.infer<typeof fuelRecordSchema>;
export type FuelRecordInput = z.infer<typeof fuelRecordInputSchema>;

function toQuarts(text: string): number | null {
  const quarts = text.trim();
  if (quarts === '') return null;
  return /^-?[\d.,]+$/.test(quarts) ? Number(quarts.replace(',', '.')) : NaN;
}
