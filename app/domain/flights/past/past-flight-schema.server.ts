import { z } from 'zod';
import { MAX_FUEL_RECORDS } from '#app/limits.ts';
import { idInputSchema } from '../../field-schemas.server.ts';
import {
  endReadingInputSchemas,
  reasonInputSchema,
  startReadingInputSchemas,
} from '../../readings/input-schemas.server.ts';
import { instantInputSchema, schoolTimeInputSchema } from '../../times/time-schemas.server.ts';
import { texts, tooManyFuelRecordsText } from '../../texts.ts';
import { fuelNotesInputSchema, fuelRecordInputSchema, oilQuantityInputSchema } from '../fuel-record-schema.server.ts';
import { completeFlightSchema } from '../schema.server.ts';

const { instructorId, instructorTimeIn, instructorTimeOut, groundSchoolTime, notes } = completeFlightSchema.shape;

const people = {
  aircraftId: idInputSchema('Please select an aircraft'),
  pilotId: idInputSchema(texts.pilotInvalid),
};

const readings = {
  startHobbsTime: startReadingInputSchemas.startHobbsTime,
  endHobbsTime: endReadingInputSchemas.endHobbsTime,
  startTachTime: startReadingInputSchemas.startTachTime,
  endTachTime: endReadingInputSchemas.endTachTime,
};

const instruction = { instructorId, instructorTimeIn, instructorTimeOut, groundSchoolTime };

export const pastFlightSchema = z.object({
  ...people,
  departedAt: required(instantInputSchema, texts.instantInvalid).describe('The check-out too'),
  landedAt: required(instantInputSchema, texts.instantInvalid).describe('The check-in too'),
  ...readings,
  ...instruction,
  fuelRecords: z
    .array(fuelRecordInputSchema.omit({ fuelReceiptImage: true }), 'Fuel records must be a list')
    .max(MAX_FUEL_RECORDS, tooManyFuelRecordsText)
    .nullish(),
  notes,
  reason: reasonInputSchema,
});

/** The fields are in the order of the form, which is that of its errors. */
const formFields = z.object({
  ...people,
  departedAt: required(schoolTimeInputSchema, texts.schoolTimeInvalid),
  landedAt: required(schoolTimeInputSchema, texts.schoolTimeInvalid),
  ...readings,
  readAgain: z.boolean().optional(),
  refueled: z.boolean().optional(),
  fuelNotes: fuelNotesInputSchema,
  oilAdded: z.boolean().optional(),
  oilQuantity: oilQuantityInputSchema,
  ...instruction,
  instructionChecked: z.boolean().optional(),
  notes,
  reason: reasonInputSchema,
});

/** Parses the call's fields and those of one fuel record, and ignores those of a switch that is off. */
export const pastFlightFormSchema = z.preprocess((form) => {
  const fields = z.looseObject({}).safeParse(form).data ?? {};
  return {
    ...fields,
    ...(!fields.refueled && { fuelNotes: undefined }),
    ...(!fields.oilAdded && { oilQuantity: undefined }),
    ...(!fields.instructorId && { instructorTimeIn: undefined, instructorTimeOut: undefined }),
  };
}, formFields);

export type PastFlightField = keyof typeof formFields.shape;
export type PastFlightInput = z.infer<typeof pastFlightSchema>;

export function toPastFlightInput(form: z.infer<typeof pastFlightFormSchema>): PastFlightInput {
  const { readAgain: _tick, instructionChecked: _otherTick, ...entered } = form;
  const { refueled = false, fuelNotes, oilAdded = false, oilQuantity, ...flown } = entered;
  const record = { refueled, oilAdded, oilQuantity, notes: fuelNotes };
  return { ...flown, fuelRecords: refueled || oilAdded ? [record] : [] };
}

function required(schema: typeof instantInputSchema | typeof schoolTimeInputSchema, text: string) {
  return schema.pipe(z.string(text));
}
