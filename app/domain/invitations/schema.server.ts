import { z } from 'zod';
import { MAX_NAME_CHARACTERS } from '#app/limits.ts';
import { idSchema, nameInputSchema, timestampSchema } from '../field-schemas.server.ts';
import { emailInputSchema, askedAboutEmailSchema, roleSchema, samePersonSchema } from '../people/schema.server.ts';

/** A pending invitation without its token; `sentAt` is when its mail was last queued. */
export const pendingInvitationSchema = z.strictObject({
  id: idSchema,
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  accepted: z.boolean(),
  invitedBy: z.strictObject({ id: idSchema, username: z.string() }),
  createdAt: timestampSchema,
  sentAt: timestampSchema,
  expired: z.boolean(),
  samePerson: z.boolean().describe('A former user comes back with it'),
  mailDelivered: z.boolean().describe('False until the mail server has taken the mail'),
  mailError: z.string().nullable().describe('What the mail server said when it last did not take the mail'),
  mailRefused: z.boolean().describe('True if the mail server refused the mail for good: it is not tried again'),
});

export const publicInvitationSchema = z.strictObject({
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  flightSchoolName: z.string(),
});

export const sendInvitationSchema = z.object({
  name: nameInputSchema('Name is required', MAX_NAME_CHARACTERS),
  email: emailInputSchema('Invalid email address'),
  role: roleSchema,
  samePerson: samePersonSchema,
});

export const invitationFormSchema = sendInvitationSchema.extend({ askedAbout: askedAboutEmailSchema });

/** Fields that are absent stay as they are. */
export const changeInvitationSchema = sendInvitationSchema.partial();

export type Invitation = z.infer<typeof pendingInvitationSchema>;
export type PublicInvitation = z.infer<typeof publicInvitationSchema>;
export type SendInvitationInput = z.infer<typeof sendInvitationSchema>;
export type InvitationFormInput = z.infer<typeof invitationFormSchema>;
export type ChangeInvitationInput = z.infer<typeof changeInvitationSchema>;
