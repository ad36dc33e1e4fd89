import { z } from 'zod';
import { MAX_ID } from '#app/limits.ts';

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

/** An id in a request body; `message` answers any other value. */
export const idInputSchema = (message: string) => z.number(message).int(message).positive(message).max(MAX_ID, message);

/** Optional text of several lines, trimmed, with LF for CRLF. */
export const optionalTextInputSchema = (maxCharacters: number, tooLong: string) =>
  z
    .string(tooLong)
    .overwrite((text) => text.replace(/\r\n?/g, '\n'))
    .trim()
    .max(maxCharacters, tooLong)
    .nullish();
