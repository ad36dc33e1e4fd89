import { z } from 'zod';
import { MAX_SCHOOL_FIELD_CHARACTERS } from '#app/limits.ts';
import { archiveTexts } from '../../archive/archive-texts.server.ts';
import { nameInputSchema } from '../../field-schemas.server.ts';
import { currentPasswordSchema } from '../../people/schema.server.ts';
import { texts } from '../../texts.ts';

/** Calling off takes neither name nor password. */
export const removalFormSchema = z.discriminatedUnion(
  'intent',
  [
    z.object({
      intent: z.literal('ask'),
      schoolName: nameInputSchema(archiveTexts.nameRequired, MAX_SCHOOL_FIELD_CHARACTERS),
      currentPassword: currentPasswordSchema,
    }),
    z.object({ intent: z.literal('call-off') }),
  ],
  texts.actionRequired,
);
