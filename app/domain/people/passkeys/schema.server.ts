import { z } from 'zod';
import {
  MAX_CREDENTIAL_ID_CHARACTERS,
  MAX_PASSKEY_NAME_CHARACTERS,
  MAX_PASSKEY_RESPONSE_CHARACTERS,
  MAX_PASSKEYS,
} from '#app/limits.ts';
import { nameInputSchema } from '../../field-schemas.server.ts';
import { texts } from '../../texts.ts';
import { ownProofSchema } from '../schema.server.ts';

/** Texts that browsers do not load with every page. */
export const passkeyTexts = {
  needed: 'Your school asks its administrators for a second factor. Please sign in with your passkey.',
  refused: 'This passkey cannot be used here. Please try again, or log in with your password.',
  notAdded: 'This passkey could not be added. Please try again.',
  unreadable: 'The answer of the passkey could not be read. Please try again.',
  expired: 'This took too long or was sent already. Please try again.',
  there: 'This passkey is here already.',
  notFound: 'Passkey not found',
  nameRequired: 'Please give it a name',
  tooMany: `You can have at most ${MAX_PASSKEYS} passkeys. Please remove one first.`,
} as const;

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

const base64url = z.string().regex(/^[\w-]+$/);

const credentialSchema = z.object({
  id: base64url.max(MAX_CREDENTIAL_ID_CHARACTERS),
  rawId: base64url.max(MAX_CREDENTIAL_ID_CHARACTERS),
  type: z.literal('public-key'),
  clientExtensionResults: z.unknown().transform(() => ({})),
});

const newPasskeySchema = credentialSchema.extend({
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.enum(TRANSPORTS)).max(TRANSPORTS.length).catch([]),
  }),
});

const assertionSchema = credentialSchema.extend({
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish().transform((handle) => handle ?? undefined),
  }),
});

export const assertionFieldSchema = jsonField(assertionSchema);

/** The first step of adding a passkey asks who it is, the second brings the authenticator's answer. */
export const addPasskeySchema = z.discriminatedUnion(
  'intent',
  [
    ownProofSchema.extend({
      intent: z.literal('ask'),
      name: nameInputSchema(passkeyTexts.nameRequired, MAX_PASSKEY_NAME_CHARACTERS),
    }),
    z.object({ intent: z.literal('add'), response: jsonField(newPasskeySchema) }),
  ],
  texts.actionRequired,
);

export type NewPasskey = z.infer<typeof newPasskeySchema>;
export type Assertion = z.infer<typeof assertionSchema>;
export type AddPasskeyInput = z.infer<typeof addPasskeySchema>;

/** Parses JSON with one message for whatever is wrong inside: no user has typed it. */
function jsonField<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string(passkeyTexts.unreadable)
    .max(MAX_PASSKEY_RESPONSE_CHARACTERS, passkeyTexts.unreadable)
    .transform((text, context): z.output<Schema> => {
      const parsed = schema.safeParse(parseJson(text));
      if (parsed.success) return parsed.data;
      context.addIssue(passkeyTexts.unreadable);
      return z.NEVER;
    });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
