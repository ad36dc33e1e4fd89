import { z } from 'zod';

const MAXIMUM = 1024;
const tooLong = `At most ${MAXIMUM} characters`;

export const signInFields = z.object({
  username: z
    .string('Username is required')
    .trim()
    .min(1, 'Username is required')
    .max(MAXIMUM, tooLong),
  password: z.string('Password is required').min(1, 'Password is required').max(MAXIMUM, tooLong),
  sharedComputer: z.boolean().optional(),
});

export type SignInFields = z.infer<typeof signInFields>;
