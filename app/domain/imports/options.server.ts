import { z } from 'zod';

/** These are imported only where somebody ticked them. */
export const importOptionsSchema = z.object({
  sendInvitations: z.boolean().default(false),
  administrators: z.boolean().default(false),
  oddReadings: z.boolean().default(false),
  leaveOutRefused: z.boolean().default(false),
});

export type ImportOptions = z.infer<typeof importOptionsSchema>;

export const NO_OPTIONS: ImportOptions = importOptionsSchema.parse({});
