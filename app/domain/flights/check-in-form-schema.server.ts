import { z } from 'zod';
import { declaredChanges } from '../readings/declared-changes.server.ts';
import { photoFilesSchema } from '../squawks/schema.server.ts';
import { readPhotoFiles } from '../squawks/squawk-photos.server.ts';
import { texts } from '../texts.ts';
import { schoolTimeInputSchema } from '../times/time-schemas.server.ts';
import { fuelNotesInputSchema, oilQuantityInputSchema } from './fuel-record-schema.server.ts';
import { type CompleteFlightInput, completeFlightSchema } from './schema.server.ts';

const { fuelRecords: _fuelRecords, squawkPhotos: _squawkPhotos, ...completionFields } = completeFlightSchema.shape;

const checkInFields = z.object({
  ...completionFields,
  departedAt: schoolTimeInputSchema,
  landedAt: schoolTimeInputSchema,
  readAgain: z.boolean().optional(),
  instructionChecked: z.boolean().optional(),
  refueled: z.boolean().optional(),
  fuelReceiptImage: z.file(texts.photoUnreadable).optional(),
  fuelNotes: fuelNotesInputSchema,
  oilAdded: z.boolean().optional(),
  oilQuantity: oilQuantityInputSchema,
  unsafe: z.boolean().optional(),
  squawkPhotos: photoFilesSchema,
});

/** The fields of the API call, with those of one fuel record beside them. */
export const checkInFormSchema = z.preprocess(dropSwitchedOffFields, checkInFields);

export type CheckInField = keyof typeof checkInFields.shape;

/** Ignores fields of a switch that is off, and of an instructor who is not selected. */
function dropSwitchedOffFields(form: unknown): unknown {
  const fields = z.looseObject({}).safeParse(form).data ?? {};
  return {
    ...fields,
    ...(!fields.refueled && { fuelReceiptImage: undefined, fuelNotes: undefined }),
    ...(!fields.oilAdded && { oilQuantity: undefined }),
    ...(!fields.instructorId && { instructorTimeIn: undefined, instructorTimeOut: undefined }),
    meterChanges: declaredChanges(fields.meterChanges),
  };
}

export async function toCompleteFlightInput(form: z.infer<typeof checkInFormSchema>): Promise<CompleteFlightInput> {
  const {
    refueled = false,
    fuelReceiptImage,
    fuelNotes,
    oilAdded = false,
    oilQuantity,
    readAgain: _tick,
    instructionChecked: _otherTick,
    squawkPhotos,
    ...rest
  } = form;
  const receipt = fuelReceiptImage ? Buffer.from(await fuelReceiptImage.arrayBuffer()) : null;
  const record = { refueled, fuelReceiptImage: receipt, oilAdded, oilQuantity, notes: fuelNotes };
  const photos = await readPhotoFiles(squawkPhotos);
  return { ...rest, squawkPhotos: photos, fuelRecords: refueled || oilAdded ? [record] : [] };
}
