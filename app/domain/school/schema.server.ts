import { z } from 'zod';
import { MAX_NEW_SCHOOL_NAME_CHARACTERS, MAX_SCHOOL_FIELD_CHARACTERS } from '#app/limits.ts';
import {
  emailInputSchema,
  nameInputSchema,
  passwordInputSchema,
  usernameInputSchema,
} from '../people/schema.server.ts';
import { texts, tooLongText } from '../texts.ts';

export const flightSchoolSchema = z.strictObject({
  name: z.string(),
  address: z.string(),
  phone: z.string(),
  timeZone: z.string().describe('An IANA name'),
});

const singleLineInputSchema = (required: string) =>
  z.string(required).trim().min(1, required).max(MAX_SCHOOL_FIELD_CHARACTERS, tooLongText(MAX_SCHOOL_FIELD_CHARACTERS));

/** Without a time zone the school keeps its own. */
export const schoolSchema = z.object({
  name: singleLineInputSchema(texts.schoolNameRequired),
  address: singleLineInputSchema('Address is required'),
  phone: singleLineInputSchema('Phone number is required'),
  timeZone: z.string('Please select a time zone').refine(isTimeZone, 'Please select a time zone').optional(),
});

/** What only the page changes; a call leaves it as it is. */
export const schoolFormSchema = schoolSchema.extend({ administratorsNeedSecondFactor: z.boolean().optional() });

/** Without a school name the administrator enters it later. */
export const createSchoolSchema = z.object({
  name: nameInputSchema(texts.schoolNameRequired, MAX_NEW_SCHOOL_NAME_CHARACTERS).optional(),
  username: usernameInputSchema,
  email: emailInputSchema(texts.emailInvalid),
  password: passwordInputSchema,
});

export type FlightSchool = z.infer<typeof flightSchoolSchema>;
export type SchoolInput = z.infer<typeof schoolSchema>;
export type SchoolFormInput = z.infer<typeof schoolFormSchema>;
export type CreateSchoolInput = z.infer<typeof createSchoolSchema>;

/** Includes `current`, even where the platform lists it by another name. */
export function timeZones(current: string): string[] {
  return [...new Set([current, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted();
}

// A place or 'UTC', never an offset, which has no summer time.
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{1,60}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
