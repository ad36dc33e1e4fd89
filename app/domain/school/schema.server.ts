import { z } from 'zod';

const MAX_CHARACTERS = 500;

const text = (required: string) =>
  z.string(required).trim().min(1, required).max(MAX_CHARACTERS, `At most ${MAX_CHARACTERS} characters`);

/** What an administrator says of the school (spec §5, §7 PUT /api/flight-school); without a time zone it keeps its own. */
export const schoolSchema = z.object({
  name: text('School name is required'),
  address: text('Address is required'),
  phone: text('Phone number is required'),
  timeZone: z.string('Please select a time zone').refine(isTimeZone, 'Please select a time zone').optional(),
});

export type SchoolInput = z.infer<typeof schoolSchema>;

/** The zones to choose from, by name; `current` is among them even where this platform lists it by another name. */
export function timeZones(current: string): string[] {
  return [...new Set([current, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted();
}

// A place ('America/Los_Angeles') or 'UTC', never an offset: offsets know no summer time.
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{1,60}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
