import { MAX_PASSKEYS } from '#app/limits.ts';

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
