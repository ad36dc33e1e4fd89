import { z } from 'zod';
import { declaredChanges } from '../readings/declare-meter-change.server.ts';
import {
  endReadingInputSchemas,
  reasonInputSchema as reason,
  startReadingInputSchemas,
} from '../readings/input-schemas.server.ts';
import { photoFilesSchema } from '../squawks/schema.server.ts';
import { readPhotoFiles } from '../squawks/add-squawk.server.ts';
import { texts } from '../texts.ts';
import { schoolTimeInputSchema } from '../times/school-time.server.ts';
import {
  type CloseFlightInput,
  type CompleteFlightInput,
  completeFlightSchema,
  type CorrectionInput,
  recordedFields,
} from './schema.server.ts';
import { fuelNotesInputSchema, type FuelRecord, oilQuantityInputSchema } from './fuel-record-schema.server.ts';
import type { Confirmations } from './record-end.server.ts';

const { fuelRecords: _records, ...asInCalls } = recordedFields;

/** The fields that every form of an ended flight has: those of the calls, those of one fuel record, and ticks. */
export const recordedFormFields = {
  ...asInCalls,
  departedAt: schoolTimeInputSchema,
  landedAt: schoolTimeInputSchema,
  readAgain: z.boolean().optional(),
  refueled: z.boolean().optional(),
  fuelNotes: fuelNotesInputSchema,
  oilAdded: z.boolean().optional(),
  oilQuantity: oilQuantityInputSchema,
  instructionChecked: z.boolean().optional(),
};

const { fuelRecords: _ofCalls, squawkPhotos: _inCalls, ...completion } = completeFlightSchema.shape;

const checkInFields = z.object({
  ...completion,
  ...recordedFormFields,
  fuelReceiptImage: z.file(texts.photoUnreadable).optional(),
  squawkPhotos: photoFilesSchema,
});

const correctionFields = z.object({
  ...startReadingInputSchemas,
  ...recordedFormFields,
  ...endReadingInputSchemas,
  reason,
});

export type CheckInField = keyof typeof checkInFields.shape;
export type CorrectionField = keyof typeof correctionFields.shape;

export const checkInFormSchema = z.preprocess(withoutSwitchedOff, checkInFields);
export const closeFlightFormSchema = z.preprocess(withoutSwitchedOff, checkInFields.extend({ reason }));
export const correctionFormSchema = z.preprocess(withoutSwitchedOff, correctionFields);

export const startCorrectionFormSchema = z.object({
  ...startReadingInputSchemas,
  departedAt: schoolTimeInputSchema,
  readAgain: z.boolean().optional(),
  reason,
});

/** Ignores fields of a switch that is off, of an instructor who is not chosen, and of a meter whose box is not ticked. */
export function withoutSwitchedOff(form: unknown): unknown {
  const fields = z.looseObject({}).safeParse(form).data ?? {};
  return {
    ...fields,
    ...(!fields.refueled && { fuelReceiptImage: undefined, fuelNotes: undefined }),
    ...(!fields.oilAdded && { oilQuantity: undefined }),
    ...(!fields.instructorId && { instructorTimeIn: undefined, instructorTimeOut: undefined }),
    meterChanges: declaredChanges(fields.meterChanges),
  };
}

type Ticks = Pick<RecordedForm, 'readAgain' | 'instructionChecked'>;
type RecordedForm = z.infer<z.ZodObject<typeof recordedFormFields>>;

/** The fields of a call, with the one fuel record of the form; undefined for none. */
export function toRecordedFields<Form extends RecordedForm>(form: Form) {
  const { readAgain: _tick, instructionChecked: _otherTick, ...entered } = form;
  const { refueled = false, fuelNotes, oilAdded = false, oilQuantity, ...fields } = entered;
  const record = { refueled, oilAdded, oilQuantity, notes: fuelNotes };
  return { fields, record: refueled || oilAdded ? record : undefined };
}

export function confirmationsOf({ readAgain, instructionChecked }: Ticks): Confirmations {
  return { isConfirmed: readAgain === true, isInstructionConfirmed: instructionChecked === true };
}

export async function toCompleteFlightInput(form: z.infer<typeof checkInFormSchema>): Promise<CompleteFlightInput> {
  const { fields, record } = toRecordedFields(form);
  const { fuelReceiptImage, squawkPhotos, ...rest } = fields;
  const receipt = fuelReceiptImage ? Buffer.from(await fuelReceiptImage.arrayBuffer()) : null;
  const photos = await readPhotoFiles(squawkPhotos);
  const fuelRecords = record ? [{ ...record, fuelReceiptImage: receipt }] : [];
  return { ...rest, squawkPhotos: photos, fuelRecords };
}

export async function toCloseFlightInput({
  reason: why,
  ...form
}: z.infer<typeof closeFlightFormSchema>): Promise<CloseFlightInput> {
  return { ...(await toCompleteFlightInput(form)), reason: why };
}

/** The form shows the first of the stored fuel records, and its notes if it was refueled; what it does not show stays. */
export function toCorrectionInput(
  form: z.infer<typeof correctionFormSchema>,
  [first, ...others]: FuelRecord[],
): CorrectionInput {
  const { fields, record } = toRecordedFields(form);
  const rest = others.map(({ fuelReceiptImage: _stays, ...other }) => other);
  const unseen = form.refueled || first?.refueled ? undefined : first?.notes;
  const isKept = first && (rest.length > 0 || unseen || !(first.refueled || first.oilAdded));
  const shown = record ?? (isKept ? { refueled: false, oilAdded: false } : undefined);
  return { ...fields, fuelRecords: shown ? [{ ...shown, ...(unseen && { notes: unseen }) }, ...rest] : [] };
}
