import { z } from 'zod';
import { MAX_NOTES_CHARACTERS, MAX_REMARK_CHARACTERS, MAX_SQUAWK_PHOTOS } from '#app/limits.ts';
import { aircraftIdentitySchema } from '../aircraft/schema.server.ts';
import {
  idInputSchema,
  idSchema,
  whenValidBy,
  optionalTextInputSchema,
  photoPathSchema,
  timestampSchema,
} from '../field-schemas.server.ts';
import {
  DUE_AT_FIELD_SCHEMAS,
  duePointInputSchema,
  duePointSchema,
  pointOfFields,
} from '../inspections/schema.server.ts';
import { notesTooLongText, texts } from '../texts.ts';
import { SQUAWK_STATES } from './squawk-states.ts';
import { remarkTooLongText, squawkTexts, tooManySquawkPhotosText } from './squawk-texts.server.ts';

const userSchema = z.strictObject({ id: idSchema, username: z.string() });
const stateSchema = z.enum(SQUAWK_STATES);
const untilSchema = duePointSchema.nullable().describe('Until when a deferred one is deferred');

export const squawkSchema = z.strictObject({
  id: idSchema,
  aircraft: aircraftIdentitySchema,
  flightLogId: idSchema.nullable().describe('The flight at whose check-in it was reported'),
  text: z.string(),
  unsafe: z.boolean().describe('Reported as unsafe to fly'),
  state: stateSchema,
  until: untilSchema,
  deferralOver: z
    .string()
    .nullable()
    .describe("How far a deferred one is past its reading or day, as 'Deferral over by 1.2 h'"),
  author: userSchema,
  createdAt: timestampSchema,
  photos: z.array(photoPathSchema),
  history: z
    .array(
      z.strictObject({
        state: stateSchema,
        until: untilSchema,
        remark: z.string(),
        by: userSchema,
        at: timestampSchema,
      }),
    )
    .describe('Oldest first'),
});

const squawkTextSchema = z
  .string(squawkTexts.squawkRequired)
  .overwrite((text) => text.replace(/\r\n?/g, '\n'))
  .trim()
  .min(1, squawkTexts.squawkRequired)
  .max(MAX_NOTES_CHARACTERS, notesTooLongText);

/** Parses photos in base64, with or without a data prefix, into bytes that are not yet decoded. */
export const squawkPhotosInputSchema = z
  .array(
    z
      .string(texts.photoUnreadable)
      .transform((image) => Buffer.from(image.replace(/^data:[^,]{0,100},/, ''), 'base64')),
    texts.photoUnreadable,
  )
  .max(MAX_SQUAWK_PHOTOS, tooManySquawkPhotosText)
  .nullish();

export const unsafeInputSchema = z.boolean('Unsafe must be yes or no').nullish();

export const addSquawkSchema = z.object({
  aircraftId: idInputSchema('Please select an aircraft'),
  text: squawkTextSchema,
  unsafe: unsafeInputSchema,
  photos: squawkPhotosInputSchema,
});

/** A browser sends an empty file if none was chosen. */
export const photoFilesSchema = z
  .array(z.file(texts.photoUnreadable))
  .max(MAX_SQUAWK_PHOTOS, tooManySquawkPhotosText)
  .optional();

export const addSquawkFormSchema = z.object({
  text: squawkTextSchema,
  unsafe: z.boolean().optional(),
  photos: photoFilesSchema,
});

const remarkSchema = optionalTextInputSchema(MAX_REMARK_CHARACTERS, remarkTooLongText);

interface Change {
  state: z.infer<typeof stateSchema>;
  remark?: string | null | undefined;
}

function requireRemark({ state, remark }: Change, context: z.RefinementCtx): void {
  if (remark || (state !== 'fixed' && state !== 'open')) return;
  const message = state === 'fixed' ? squawkTexts.remarkRequired : texts.reasonRequired;
  context.addIssue({ code: 'custom', message, path: ['remark'] });
}

export const changeSquawkStateSchema = z.object({ state: z.enum(SQUAWK_STATES, squawkTexts.squawkStateInvalid) });

export const changeSquawkSchema = changeSquawkStateSchema
  .extend({
    until: duePointInputSchema.nullish(),
    remark: remarkSchema,
  })
  .superRefine((change, context) => {
    requireRemark(change, context);
    if (change.state !== 'deferred' || change.until) return;
    context.addIssue({ code: 'custom', message: squawkTexts.untilRequired, path: ['until'] });
  });

export const changeSquawkIntentSchema = z.enum(SQUAWK_STATES, texts.actionRequired);

const squawkDueFields = z
  .object({ intent: changeSquawkIntentSchema, ...DUE_AT_FIELD_SCHEMAS })
  .partial({ dueAt: true });

/** Fields of the forms on a squawk's page, one form a state. */
export const changeSquawkFormSchema = squawkDueFields
  .extend({ remark: remarkSchema })
  .superRefine((fields, context) => void untilOf(fields, context), whenValidBy(squawkDueFields))
  .transform(({ remark, ...fields }, context) => {
    requireRemark({ state: fields.intent, remark }, context);
    return { state: fields.intent, remark, until: untilOf(fields, context) };
  });

function untilOf({ intent, dueAt = 'hobbs', ...due }: z.infer<typeof squawkDueFields>, context: z.RefinementCtx) {
  return intent === 'deferred' ? pointOfFields({ dueAt, ...due }, context) : undefined;
}

/** Fields of the form that ends squawks of the same words together, whose ids are divided by commas. */
export const fixSquawksFormSchema = z
  .object({ squawkIds: z.string().optional(), remark: remarkSchema })
  .superRefine(({ remark }, context) => requireRemark({ state: 'fixed', remark }, context));

export type Squawk = z.infer<typeof squawkSchema>;
export type AddSquawkInput = z.infer<typeof addSquawkSchema>;
export type ChangeSquawkInput = z.infer<typeof changeSquawkSchema>;
