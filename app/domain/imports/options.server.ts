import { z } from 'zod';

/** What is imported only where somebody ticked it. */
export const importOptionsSchema = z.object({
  sendInvitations: z.boolean().default(false),
  administrators: z.boolean().default(false),
  oddReadings: z.boolean().default(false),
  leaveOutRefused: z.boolean().default(false),
});

export type ImportOptions = z.infer<typeof importOptionsSchema>;

export const NO_OPTIONS: ImportOptions = importOptionsSchema.parse({});
