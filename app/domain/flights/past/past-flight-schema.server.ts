import { z } from 'zod';
import { idInputSchema } from '../../field-schemas.server.ts';
import {
  endReadingInputSchemas,
  reasonInputSchema as reason,
  startReadingInputSchemas,
} from '../../readings/input-schemas.server.ts';
import { instantInputSchema, instantsOfSchoolTime, schoolTimeInputSchema } from '../../times/school-time.server.ts';
import { texts } from '../../texts.ts';
import { fuelRecordsWithoutReceiptsSchema } from '../fuel-record-schema.server.ts';
import { recordedFormFields, toRecordedFields, withoutSwitchedOff } from '../recorded-form-schema.server.ts';
import { recordedFields } from '../schema.server.ts';
import { EARLIEST_FLIGHT_YEAR } from '#app/limits.ts';

const people = {
  aircraftId: idInputSchema('Please select an aircraft'),
  pilotId: idInputSchema(texts.pilotInvalid),
};

/**
 * Receipts are left out on purpose: a flight on paper has its receipt on paper. A defect of today is reported today.
 */
export const pastFlightSchema = z.object({
  ...people,
  ...startReadingInputSchemas,
  ...recordedFields,
  departedAt: required(instantInputSchema, texts.instantInvalid).describe('The check-out too'),
  landedAt: required(instantInputSchema, texts.instantInvalid).describe('The check-in too'),
  fuelRecords: fuelRecordsWithoutReceiptsSchema,
  reason,
});

const formFields = z.object({
  ...people,
  ...startReadingInputSchemas,
  ...recordedFormFields,
  ...endReadingInputSchemas,
  departedAt: required(schoolTimeInputSchema, texts.schoolTimeInvalid),
  landedAt: required(schoolTimeInputSchema, texts.schoolTimeInvalid),
  reason,
});

export const pastFlightFormSchema = z.preprocess(withoutSwitchedOff, formFields);

export type PastFlightField = keyof typeof formFields.shape;
export type PastFlightInput = z.infer<typeof pastFlightSchema>;

export function toPastFlightInput(form: z.infer<typeof pastFlightFormSchema>): PastFlightInput {
  const { fields, record } = toRecordedFields(form);
  return { ...fields, fuelRecords: record ? [record] : [] };
}

function required(schema: typeof instantInputSchema | typeof schoolTimeInputSchema, text: string) {
  return schema.pipe(z.string(text));
}

export interface PastFlightTimes {
  departed: Date;
  landed: Date;
}

/** Returns the times. If a clock showed the landing's twice, it is the first one after the departure. */
export function pastFlightTimes({ departedAt, landedAt }: PastFlightInput, timeZone: string): PastFlightTimes {
  const departed = instantsOfSchoolTime(departedAt, timeZone)[0] ?? new Date(NaN);
  const landings = instantsOfSchoolTime(landedAt, timeZone);
  return { departed, landed: landings.find((landed) => landed > departed) ?? landings[0] ?? new Date(NaN) };
}

/** Returns an error beside each time that cannot be. */
export function pastTimeErrors({ departed, landed }: PastFlightTimes, now: Date): Record<string, string> {
  if (landed > now) return { landedAt: texts.pastFlightInFuture };
  if (landed <= departed) return { landedAt: texts.pastFlightTooShort };
  return departed.getUTCFullYear() < EARLIEST_FLIGHT_YEAR ? { departedAt: texts.pastFlightTooOld } : {};
}
