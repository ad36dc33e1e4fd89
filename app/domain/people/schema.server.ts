import { z } from 'zod';
import { ROLES } from '../permissions.ts';
import { texts } from '../texts.ts';

const MAX_PASSWORD_CHARACTERS = 1024;
const tooLong = (atMost: number) => `At most ${atMost} characters`;
const PASSWORD_SHORT = 'Password must be at least 6 characters';

/** A line of text with single spaces: what a person or a thing is called. */
export const nameSchema = (required: string, atMost: number) =>
  z
    .string(required)
    .transform((typed) => typed.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .pipe(z.string(required).min(1, required).max(atMost, tooLong(atMost)));

/** One mail address, and never a list of them; kept as typed (C18). */
export const emailSchema = (words: string) => z.string(words).trim().max(254, words).pipe(z.email(words));

export const usernameSchema = nameSchema('Username is required', 100);
export const passwordSchema = z
  .string(PASSWORD_SHORT)
  .min(6, PASSWORD_SHORT)
  .max(MAX_PASSWORD_CHARACTERS, tooLong(MAX_PASSWORD_CHARACTERS));
export const roleSchema = z.enum(ROLES, 'Please select a role');

export const signInSchema = z.object({
  username: nameSchema('Username is required', 1024),
  password: z
    .string('Password is required')
    .min(1, 'Password is required')
    .max(MAX_PASSWORD_CHARACTERS, tooLong(MAX_PASSWORD_CHARACTERS)),
  sharedComputer: z.boolean().optional(),
});

/** What an administrator gives to add a user (spec §5, §7 POST /api/register without a token). */
export const addUserSchema = z.object({
  username: usernameSchema,
  email: emailSchema('Must be a valid email'),
  password: passwordSchema,
  role: roleSchema,
});

/** What an invited person adds to the invitation (spec §7 POST /api/register with a token). */
export const registerSchema = z.object({ username: usernameSchema, password: passwordSchema });

const confirmPassword = z.string('Please confirm your password').min(1, 'Please confirm your password');
const passwordsMatch = (typed: { password: string; confirmPassword: string }) =>
  typed.password === typed.confirmPassword;
const MISMATCH = {
  path: ['confirmPassword'],
  error: texts.passwordsDiffer,
  // Said as soon as both are typed, whatever else is wrong with the form.
  when: ({ value }: { value: unknown }) => bothTyped.safeParse(value).success,
};
const bothTyped = z.object({ password: z.string().min(1), confirmPassword: z.string().min(1) });

/** The registration form (spec §5). */
export const registrationFormSchema = registerSchema.extend({ confirmPassword }).refine(passwordsMatch, MISMATCH);

/** The form behind a password link (C38). */
export const newPasswordFormSchema = z
  .object({ password: passwordSchema, confirmPassword })
  .refine(passwordsMatch, MISMATCH);

export type SignInInput = z.infer<typeof signInSchema>;
export type AddUserInput = z.infer<typeof addUserSchema>;
export type RegisterInput = z.infer<typeof registerSchema>;
export type RegistrationFormInput = z.infer<typeof registrationFormSchema>;
export type NewPasswordFormInput = z.infer<typeof newPasswordFormSchema>;
