import { z } from 'zod';
import {
  MAX_ACTIVITY_KEPT_DAYS,
  MAX_NEW_SCHOOL_NAME_CHARACTERS,
  MAX_REMINDER_AFTER_HOURS,
  MAX_SCHOOL_FIELD_CHARACTERS,
  MIN_ACTIVITY_KEPT_DAYS,
} from '#app/limits.ts';
import { nameInputSchema } from '../field-schemas.server.ts';
import { emailInputSchema, passwordInputSchema, usernameInputSchema } from '../people/schema.server.ts';
import { texts } from '../texts.ts';

export const flightSchoolSchema = z.strictObject({
  name: z.string(),
  address: z.string(),
  phone: z.string(),
  timeZone: z.string().describe('An IANA name'),
  activityKeptDays: z.int().min(MIN_ACTIVITY_KEPT_DAYS).max(MAX_ACTIVITY_KEPT_DAYS),
});

const KEPT_DAYS = `Activity is kept for ${MIN_ACTIVITY_KEPT_DAYS} to ${MAX_ACTIVITY_KEPT_DAYS} days`;

/** The school keeps its own time zone, or days to keep the activity, if they are left out. */
export const schoolInputSchema = z.object({
  name: nameInputSchema(texts.schoolNameRequired, MAX_SCHOOL_FIELD_CHARACTERS),
  address: nameInputSchema('Address is required', MAX_SCHOOL_FIELD_CHARACTERS),
  phone: nameInputSchema('Phone number is required', MAX_SCHOOL_FIELD_CHARACTERS),
  timeZone: z.string('Please select a time zone').refine(isTimeZone, 'Please select a time zone').optional(),
  activityKeptDays: z
    .union([z.string().regex(/^\d{1,5}$/, KEPT_DAYS), z.number()], KEPT_DAYS)
    .transform(Number)
    .pipe(z.int(KEPT_DAYS).min(MIN_ACTIVITY_KEPT_DAYS, KEPT_DAYS).max(MAX_ACTIVITY_KEPT_DAYS, KEPT_DAYS))
    .optional(),
});

/** What an archived school must have, so that its pages can be shown. */
export const archivedSchoolSchema = z.looseObject({
  name: z.string().min(1).max(MAX_SCHOOL_FIELD_CHARACTERS),
  time_zone: z.string().refine(isTimeZone, 'The school has no time zone'),
});

export const NEVER_REMIND = 'never';
const REMINDER = `Reminders are sent after 1 to ${MAX_REMINDER_AFTER_HOURS} hours, or never`;

/** Fields that only the page changes; a call leaves them as they are. */
export const schoolFormSchema = schoolInputSchema.extend({
  administratorsNeedSecondFactor: z.boolean().optional(),
  givesMeterPhotos: z.boolean().optional(),
  reminderAfterHours: z
    .union([z.literal(NEVER_REMIND), z.string().regex(/^\d{1,3}$/, REMINDER)], REMINDER)
    .transform((hours) => (hours === NEVER_REMIND ? null : Number(hours)))
    .pipe(z.int(REMINDER).min(1, REMINDER).max(MAX_REMINDER_AFTER_HOURS, REMINDER).nullable())
    .optional(),
});

/** The administrator enters the school's name later if it is left out. */
export const createSchoolSchema = z.object({
  name: nameInputSchema(texts.schoolNameRequired, MAX_NEW_SCHOOL_NAME_CHARACTERS).optional(),
  username: usernameInputSchema,
  email: emailInputSchema(texts.emailInvalid),
  password: passwordInputSchema,
});

export type FlightSchool = z.infer<typeof flightSchoolSchema>;
export type SchoolInput = z.infer<typeof schoolInputSchema>;
export type SchoolFormInput = z.infer<typeof schoolFormSchema>;
export type CreateSchoolInput = z.infer<typeof createSchoolSchema>;

/** Lists the zones with `current`, even if the platform lists it by another name. */
export function timeZones(current: string): string[] {
  return [...new Set([current, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted();
}

// The name is a place or 'UTC', never an offset, which has no summer time.
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{1,60}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns the default zone of a new school, from TZ. */
export function serverTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
