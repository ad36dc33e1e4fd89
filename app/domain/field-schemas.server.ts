import { z } from 'zod';
import { MAX_ID } from '#app/limits.ts';
import { texts, tooLongText } from './texts.ts';

export const idSchema = z.int().positive().max(MAX_ID);
export const readingSchema = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,2})?$/)
  .describe('A decimal string, never a float');
export const timestampSchema = z.iso.datetime().describe('ISO-8601 in UTC');
export const clockTimeSchema = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
  .describe("HH:MM in the school's time zone");
export const photoPathSchema = z
  .string()
  .regex(/^\/photos\/\d+$/)
  .describe('Where the photo is served, to its school alone');

/** An object of these fields alone: a call that gets another one names it. */
export function strictObjectSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, { error: notTakenText });
}

const NAMED_FIELDS = 5;
const NAMED_CHARACTERS = 60;

function notTakenText({ code, keys, path }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'unrecognized_keys' || !Array.isArray(keys)) return undefined;
  return unknownFieldsText(keys.map((key) => [...(path ?? []), key].join('.')));
}

/** Returns 'This call does not take "a", "b".' */
export function unknownFieldsText(names: string[]): string {
  const shown = names.slice(0, NAMED_FIELDS).map((name) => `"${name.slice(0, NAMED_CHARACTERS)}"`);
  return `This call does not take ${shown.join(', ')}.`;
}

/** Of a check over several fields: it is made as soon as those of `schema` can be read, whatever is wrong with others. */
export function whenValidBy(schema: z.ZodType) {
  return { when: ({ value }: { value: unknown }) => schema.safeParse(value).success };
}

/** An id in a request body; `message` answers any other value. */
export const idInputSchema = (message: string) => z.number(message).int(message).positive(message).max(MAX_ID, message);

/** Parses one line: white space and control characters become single spaces. */
export const singleLineInputSchema = (required: string, maxCharacters: number) =>
  z.string(required).overwrite(toSingleLine).min(1, required).max(maxCharacters, tooLongText(maxCharacters));

/** Parses a name or label that people tell apart by sight. */
export const nameInputSchema = (required: string, maxCharacters: number) =>
  singleLineInputSchema(required, maxCharacters).refine((value) => !hasInvisibleCharacter(value), texts.invisible);

/** Parses a name; null if it is empty or absent. */
export const optionalNameInputSchema = (message: string, maxCharacters: number) =>
  z
    .string(message)
    .overwrite(toSingleLine)
    .max(maxCharacters, tooLongText(maxCharacters))
    .refine((value) => !hasInvisibleCharacter(value), texts.invisible)
    .nullish()
    .transform((value) => value || null);

/** Parses optional text of several lines, trimmed, with LF for CRLF. */
export const optionalTextInputSchema = (maxCharacters: number, tooLong: string) =>
  z
    .string(tooLong)
    .overwrite((text) => text.replace(/\r\n?/g, '\n'))
    .trim()
    .max(maxCharacters, tooLong)
    .nullish();

/** Keeps a byte order mark between characters, which counts as white space and is invisible. */
function toSingleLine(value: string): string {
  return value.replace(/(?:(?!\uFEFF)[\s\p{Cc}])+/gu, ' ').trim();
}

/** Scripts whose words are misspelt without a joiner or non-joiner between their letters. */
const JOINING_SCRIPTS = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
];
const LETTER = `[${JOINING_SCRIPTS.map((script) => String.raw`\p{Script=${script}}`).join('')}]`;
const EMOJI = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}]`;

const NEEDED_JOINERS = new RegExp(
  [
    // The pattern looks back from a joiner alone: a look back from each mark would make marks cost their square.
    String.raw`[\u200C\u200D](?<=${LETTER}\p{M}*.)(?=${LETTER})`,
    String.raw`\u200D(?<=${EMOJI}\u200D)(?=\p{Extended_Pictographic})`,
    String.raw`(?<=\p{Extended_Pictographic})\uFE0F`,
  ].join('|'),
  'gu',
);

/** Format characters, which also change the direction of text, and others that are drawn as nothing or as a blank. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Returns true if two texts that look alike could differ by characters that nobody sees. */
export function hasInvisibleCharacter(text: string): boolean {
  return INVISIBLE.test(text.replace(NEEDED_JOINERS, ''));
}
