import { z } from 'zod';
import { addAircraftSchema, aircraftSchema, aircraftStatusSchema } from '#app/domain/aircraft/schema.server.ts';
import { exportSchema } from '#app/domain/archive/schema.server.ts';
import { closeFlightSchema } from '#app/domain/flights/amendment-schema.server.ts';
import {
  completeFlightSchema,
  flightLogSchema,
  openFlightSchema,
  startFlightSchema,
} from '#app/domain/flights/schema.server.ts';
import {
  changeInvitationSchema,
  pendingInvitationSchema,
  publicInvitationSchema,
  sendInvitationSchema,
} from '#app/domain/invitations/schema.server.ts';
import {
  analyzeImageSchema,
  imageDataSchema,
  nothingDetectedSchema,
  scanSchema,
} from '#app/domain/meters/schema.server.ts';
import {
  accountSchema,
  addUserSchema,
  changeUserSchema,
  registerSchema,
  signInCallSchema,
  userSchema,
} from '#app/domain/people/schema.server.ts';
import { flightSchoolSchema, schoolSchema } from '#app/domain/school/schema.server.ts';
import { addSquawkSchema, changeSquawkSchema, squawkSchema } from '#app/domain/squawks/schema.server.ts';

/** Compared with the session's school only. */
const ownSchool = { flightSchoolId: z.union([z.int(), z.string()]).nullish() };

/** What calls answer, by the name that clients know it by; tests check responses against them. */
export const ANSWERS = {
  Nothing: z.strictObject({}),
  Account: accountSchema,
  School: flightSchoolSchema,
  User: userSchema,
  Users: z.array(userSchema),
  Invitation: pendingInvitationSchema,
  Invitations: z.array(pendingInvitationSchema),
  PublicInvitation: publicInvitationSchema,
  Aircraft: aircraftSchema,
  Fleet: z.array(aircraftSchema),
  FlightLog: flightLogSchema,
  FlightLogs: z.array(flightLogSchema),
  OpenFlight: openFlightSchema,
  OpenFlights: z.array(openFlightSchema),
  Squawk: squawkSchema,
  Squawks: z.array(squawkSchema),
  Scan: scanSchema,
  Scans: z.array(scanSchema),
  NothingDetected: nothingDetectedSchema,
  ReadingOrNothing: z.union([scanSchema, nothingDetectedSchema]),
};

/** What routes parse bodies with, by the name that clients know it by. */
export const BODIES = {
  SignIn: signInCallSchema,
  SchoolChange: schoolSchema,
  Export: exportSchema,
  UserChange: changeUserSchema,
  Registration: z.union([
    registerSchema.extend({ invitationToken: z.string().min(1) }),
    addUserSchema.extend(ownSchool),
  ]),
  NewInvitation: sendInvitationSchema,
  InvitationChange: changeInvitationSchema,
  NewAircraft: addAircraftSchema,
  AircraftStatus: aircraftStatusSchema,
  CheckOut: startFlightSchema,
  CheckIn: completeFlightSchema,
  Closing: closeFlightSchema,
  NewSquawk: addSquawkSchema,
  SquawkChange: changeSquawkSchema,
  MeterPhoto: analyzeImageSchema.extend({ imageData: imageDataSchema }),
};
