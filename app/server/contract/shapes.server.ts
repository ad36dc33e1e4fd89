import { z } from 'zod';
import type { Aircraft } from '#app/domain/aircraft/queries.server.ts';
import { GROUND_SCHOOL_TIMES } from '#app/domain/flights/schema.server.ts';
import type { FlightLog, FuelRecord, OpenFlight } from '#app/domain/flights/queries.server.ts';
import type { Invitation, InvitationWelcome } from '#app/domain/invitations/queries.server.ts';
import { METER_TYPES } from '#app/domain/meters/schema.server.ts';
import type { Scan } from '#app/domain/meters/queries.server.ts';
import type { NothingDetected } from '#app/domain/meters/scan-meter.server.ts';
import type { Account, User } from '#app/domain/people/queries.server.ts';
import { ROLES } from '#app/domain/permissions.ts';
import type { FlightSchool } from '#app/domain/school/queries.server.ts';

// What the calls answer with (spec §3), each held to the type that the domain returns.

const id = z.int().positive().max(2_147_483_647);
const reading = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,2})?$/)
  .describe('A decimal string, never a float (C40)');
const instant = z.iso.datetime().describe('ISO-8601 in UTC (C41)');
const clockTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
  .describe("HH:MM in the school's time zone (C43)");
const role = z.enum(ROLES);
const meterType = z.enum(METER_TYPES);
const photo = z
  .string()
  .regex(/^\/photos\/\d+$/)
  .describe('Where the photo is served, to its school alone (C49)');
const aircraftName = z.strictObject({ id, tailNumber: z.string(), make: z.string(), model: z.string() });

export const nothing = z.strictObject({});

export const user = z.strictObject({ id, username: z.string(), email: z.string(), role }) satisfies z.ZodType<User>;

export const account = user.extend({ flightSchoolId: id.nullable() }) satisfies z.ZodType<Account>;

export const flightSchool = z.strictObject({
  name: z.string(),
  address: z.string(),
  phone: z.string(),
  timeZone: z.string().describe('An IANA name (C41)'),
}) satisfies z.ZodType<FlightSchool>;

export const aircraft = z.strictObject({
  id,
  tailNumber: z.string(),
  make: z.string(),
  model: z.string(),
  year: z.int().min(1900).max(2100),
  lastHobbsTime: reading.nullable(),
  lastTachTime: reading.nullable(),
  status: z.enum(['maintenance', 'checked_out']).nullable(),
  groundedOnReturn: z.boolean().describe('In flight, and in maintenance once it is back (C05)'),
}) satisfies z.ZodType<Aircraft>;

const fuelRecord = z.strictObject({
  refueled: z.boolean(),
  fuelReceiptImage: photo.nullable(),
  oilAdded: z.boolean(),
  oilQuantity: z.number().min(0).nullable(),
  notes: z.string(),
}) satisfies z.ZodType<FuelRecord>;

const readingFlag = z.strictObject({
  meter: meterType,
  kind: z.enum(['below', 'gap']),
  last: reading,
});

export const flightLog = z.strictObject({
  id,
  aircraft: aircraftName,
  user: z.strictObject({ id, username: z.string(), email: z.string() }),
  instructor: z.strictObject({ id, username: z.string() }).nullable(),
  startHobbsTime: reading,
  startTachTime: reading,
  endHobbsTime: reading.nullable(),
  endTachTime: reading.nullable(),
  status: z.enum(['in_progress', 'completed']),
  createdAt: instant,
  completedAt: instant.nullable(),
  instructorTimeIn: clockTime.nullable(),
  instructorTimeOut: clockTime.nullable(),
  groundSchoolTime: z.enum(GROUND_SCHOOL_TIMES),
  notes: z.string(),
  fuelRecords: z.array(fuelRecord),
  meterPhotos: z.strictObject({
    startHobbs: photo.nullable(),
    startTach: photo.nullable(),
    endHobbs: photo.nullable(),
    endTach: photo.nullable(),
  }),
  readingFlags: z.array(readingFlag).describe('Where the start readings differed from the last ones (C06)'),
  corrected: z.boolean().describe('A reading was corrected later (C10)'),
}) satisfies z.ZodType<FlightLog>;

export const openFlight = z.strictObject({
  id,
  createdAt: instant,
  user: z.strictObject({ id, username: z.string() }),
  aircraft: aircraftName,
}) satisfies z.ZodType<OpenFlight>;

export const scan = z.strictObject({
  id,
  aircraft: aircraftName,
  meterType,
  detectedText: z.string(),
  confidence: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/)
    .describe('A decimal string, 0 to 1'),
  otherText: z
    .string()
    .nullable()
    .describe('What the photo alone shows, where the last reading made another one likelier'),
  photo,
  crop: photo.nullable().describe('The counter as it was read'),
  createdAt: instant,
}) satisfies z.ZodType<Scan>;

export const nothingDetected = z.strictObject({
  id: z.null(),
  detectedText: z.literal(''),
  confidence: z.literal('0'),
}) satisfies z.ZodType<NothingDetected>;

export const invitation = z.strictObject({
  id,
  email: z.string(),
  name: z.string(),
  role,
  accepted: z.boolean(),
  invitedBy: z.strictObject({ username: z.string() }),
  createdAt: instant,
  sentAt: instant,
  expired: z.boolean(),
  mailDelivered: z.boolean().describe('False until the mail server has taken the mail (C23)'),
}) satisfies z.ZodType<Invitation>;

export const invitationWelcome = z.strictObject({
  email: z.string(),
  name: z.string(),
  role,
  flightSchoolName: z.string(),
}) satisfies z.ZodType<InvitationWelcome>;
