import { z } from 'zod';
import { MAX_UPLOADED_ARCHIVE_BYTES, MAX_UPLOADED_PEOPLE } from '#app/limits.ts';
import { currentPasswordSchema } from '../people/schema.server.ts';
import { AppError } from '../app-error.ts';

/** An access token that may manage needs no password. */
export const exportRequestSchema = z.object({ password: currentPasswordSchema.optional() });

export const confirmExportSchema = z.object({ currentPassword: currentPasswordSchema });

/** Texts that browsers do not load with every page. */
export const archiveTexts = {
  passwordRequired: 'Please enter your current password',
  passwordFirst: 'Please send your password with POST, or use an access token that may manage.',
  exportFirst: 'Please export everything first: the last export was more than a day ago, or there was none.',
  otherName: "This is not the school's name",
  nameRequired: "Please type the school's name",
  notEmpty: (what: string) =>
    `Everything of a school moves only into a school that has nothing yet but its administrator. Here are already: ${what}. Whoever runs this server can make a school of its own of the file: npm run flightline -- import all FILE`,
  choosePerson: 'Please choose who you are',
  uploadTooLarge: `The file is larger than ${MAX_UPLOADED_ARCHIVE_BYTES / 1024 / 1024} MB. Whoever runs this server can import it: npm run flightline -- import all FILE`,
  unasked: 'This is not asked, or was answered before',
  oneWaits: 'Another file with everything of a school waits. Please remove it first.',
  tooManyPeople: `More than ${MAX_UPLOADED_PEOPLE.toLocaleString('en')} people would sign in. Whoever runs this server can import the file: npm run flightline -- import all FILE`,
  notUndone: 'Everything of a school is not taken back in one step. The school can be deleted on its settings page.',
  notAsked: 'Nobody has asked for the deletion of this school.',
} as const;

/** Throws what Postgres or zod refuses in a file as a fault of the file, and any other error as it is. */
export function rethrowAsFileFault(error: unknown): never {
  if (error instanceof z.ZodError) throw faultOf('cannot be read', error.issues[0]?.message ?? '');
  if (error instanceof SyntaxError) throw faultOf('cannot be read', error.message);
  const isRefused = error instanceof Error && 'code' in error && REFUSALS.test(String(error.code));
  throw isRefused ? faultOf('does not fit', error.message) : error;
}

const REFUSALS = /^(22|23|54|P0)/;

function faultOf(what: string, why: string): AppError {
  return new AppError('invalid', `The export has a row that ${what}: ${why.slice(0, MAX_REASON_CHARACTERS)}.`);
}

const MAX_REASON_CHARACTERS = 300;
