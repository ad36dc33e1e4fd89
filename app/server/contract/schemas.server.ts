import { z } from 'zod';
import {
  addAircraftSchema,
  aircraftSchema,
  setAircraftStatusSchema,
  listedAircraftSchema,
} from '#app/domain/aircraft/schema.server.ts';
import { exportRequestSchema } from '#app/domain/archive/schema.server.ts';
import {
  closeFlightSchema,
  completeFlightSchema,
  correctionSchema,
  flightLogSchema,
  openFlightSchema,
  removedFlightSchema,
  startFlightSchema,
} from '#app/domain/flights/schema.server.ts';
import { pastFlightSchema } from '#app/domain/flights/past/past-flight-schema.server.ts';
import { importCallSchema, importPreviewWithKindSchema, importSchema } from '#app/domain/imports/schema.server.ts';
import {
  changeInvitationSchema,
  pendingInvitationSchema,
  publicInvitationSchema,
  sendInvitationSchema,
} from '#app/domain/invitations/schema.server.ts';
import {
  framedScanTargetSchema,
  imageDataSchema,
  nothingDetectedSchema,
  scanSchema,
} from '#app/domain/meters/schema.server.ts';
import { accessTokenSchema } from '#app/domain/people/access-tokens/schema.server.ts';
import {
  accountSchema,
  addUserCallSchema,
  changeUserSchema,
  listedUserSchema,
  registerSchema,
  signInCallSchema,
  userSchema,
} from '#app/domain/people/schema.server.ts';
import { flightSchoolSchema, schoolInputSchema } from '#app/domain/school/schema.server.ts';
import { addSquawkSchema, changeSquawkSchema, squawkSchema } from '#app/domain/squawks/schema.server.ts';
import {
  addWebhookSchema,
  changeWebhookSchema,
  newWebhookSchema,
  webhookSchema,
} from '#app/domain/webhooks/schema.server.ts';

/** The id is compared with the session's school and not used otherwise. */
const ownSchool = { flightSchoolId: z.union([z.int(), z.string()]).nullish() };

/** Schemas of the answers, by the names that clients know them by; tests check responses against them. */
export const ANSWERS = {
  Nothing: z.strictObject({}),
  AccessToken: accessTokenSchema,
  AccessTokens: z.array(accessTokenSchema),
  Account: accountSchema,
  School: flightSchoolSchema,
  User: userSchema,
  ListedUser: listedUserSchema,
  Users: z.array(listedUserSchema),
  Invitation: pendingInvitationSchema,
  Invitations: z.array(pendingInvitationSchema),
  PublicInvitation: publicInvitationSchema,
  Aircraft: aircraftSchema,
  ListedAircraft: listedAircraftSchema,
  Fleet: z.array(listedAircraftSchema),
  FlightLog: flightLogSchema,
  FlightLogs: z.array(z.union([flightLogSchema, removedFlightSchema])),
  OpenFlight: openFlightSchema,
  OpenFlights: z.array(openFlightSchema),
  Squawk: squawkSchema,
  Squawks: z.array(squawkSchema),
  Scan: scanSchema,
  Scans: z.array(scanSchema),
  NothingDetected: nothingDetectedSchema,
  Import: importSchema,
  ImportPreview: importPreviewWithKindSchema,
  ImportOrPreview: z.union([importSchema, importPreviewWithKindSchema]),
  Webhook: webhookSchema,
  Webhooks: z.array(webhookSchema),
  WebhookWithSecret: newWebhookSchema,
  ReadingOrNothing: z.union([scanSchema, nothingDetectedSchema]),
};

/** Schemas that routes parse bodies with, by the names that clients know them by. */
export const BODIES = {
  SignIn: signInCallSchema,
  SchoolChange: schoolInputSchema,
  Export: exportRequestSchema,
  UserChange: changeUserSchema,
  Registration: z.union([
    registerSchema.extend({ invitationToken: z.string().min(1) }),
    addUserCallSchema.extend(ownSchool),
  ]),
  NewInvitation: sendInvitationSchema,
  InvitationChange: changeInvitationSchema,
  NewAircraft: addAircraftSchema,
  AircraftStatus: setAircraftStatusSchema,
  CheckOut: startFlightSchema,
  CheckIn: completeFlightSchema,
  Closing: closeFlightSchema,
  Correction: correctionSchema,
  PastFlight: pastFlightSchema,
  NewSquawk: addSquawkSchema,
  SquawkChange: changeSquawkSchema,
  NewImport: importCallSchema,
  NewWebhook: addWebhookSchema,
  WebhookChange: changeWebhookSchema,
  MeterPhoto: framedScanTargetSchema.extend({ imageData: imageDataSchema }),
};
