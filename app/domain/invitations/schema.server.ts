import { z } from 'zod';
import { emailSchema, nameSchema, roleSchema } from '../people/schema.server.ts';

/** Who is invited, and as what (spec §5, §7 POST /api/invitations). */
export const invitationSchema = z.object({
  name: nameSchema('Name is required', 100),
  email: emailSchema('Invalid email address'),
  role: roleSchema,
});

export type InvitationInput = z.infer<typeof invitationSchema>;
