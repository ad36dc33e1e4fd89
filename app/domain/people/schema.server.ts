import { z } from 'zod';
import { ROLES } from '../permissions.ts';
import { texts } from '../texts.ts';

const PASSWORD_AT_MOST = 1024;
const tooLong = (atMost: number) => `At most ${atMost} characters`;
const PASSWORD_SHORT = 'Password must be at least 6 characters';

/** A line of text with single spaces: what a person or a thing is called. */
export const named = (required: string, atMost: number) =>
  z
    .string(required)
    .transform((typed) => typed.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .pipe(z.string(required).min(1, required).max(atMost, tooLong(atMost)));

/** One mail address, and never a list of them; kept as typed (C18). */
export const address = (words: string) => z.string(words).trim().max(254, words).pipe(z.email(words));

export const username = named('Username is required', 100);
export const password = z.string(PASSWORD_SHORT).min(6, PASSWORD_SHORT).max(PASSWORD_AT_MOST, tooLong(PASSWORD_AT_MOST));
export const role = z.enum(ROLES, 'Please select a role');

export const signInFields = z.object({
  username: named('Username is required', 1024),
  password: z
    .string('Password is required')
    .min(1, 'Password is required')
    .max(PASSWORD_AT_MOST, tooLong(PASSWORD_AT_MOST)),
  sharedComputer: z.boolean().optional(),
});

/** What an administrator gives to add a user (spec §5, §7 POST /api/register without a token). */
export const addUserFields = z.object({ username, email: address('Must be a valid email'), password, role });

/** What an invited person adds to the invitation (spec §7 POST /api/register with a token). */
export const registerFields = z.object({ username, password });

const confirmPassword = z.string('Please confirm your password').min(1, 'Please confirm your password');
const passwordsMatch = (typed: { password: string; confirmPassword: string }) => typed.password === typed.confirmPassword;
const MISMATCH = {
  path: ['confirmPassword'],
  error: texts.passwordsDiffer,
  // Said as soon as both are typed, whatever else is wrong with the form.
  when: ({ value }: { value: unknown }) => bothTyped.safeParse(value).success,
};
const bothTyped = z.object({ password: z.string().min(1), confirmPassword: z.string().min(1) });

/** The registration form (spec §5). */
export const registrationForm = registerFields.extend({ confirmPassword }).refine(passwordsMatch, MISMATCH);

/** The form behind a password link (C38). */
export const newPasswordForm = z.object({ password, confirmPassword }).refine(passwordsMatch, MISMATCH);

export type SignInFields = z.infer<typeof signInFields>;
export type AddUserFields = z.infer<typeof addUserFields>;
export type RegisterFields = z.infer<typeof registerFields>;
export type RegistrationForm = z.infer<typeof registrationForm>;
export type NewPasswordForm = z.infer<typeof newPasswordForm>;
