import { z } from 'zod';
import { address, named, role } from '../people/schema.server.ts';

/** Who is invited, and as what (spec §5, §7 POST /api/invitations). */
export const invitationFields = z.object({
  name: named('Name is required', 100),
  email: address('Invalid email address'),
  role,
});

export type InvitationFields = z.infer<typeof invitationFields>;
