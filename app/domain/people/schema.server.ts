import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { ROLES } from '#db/roles.ts';
import {
  MAX_CODE_CHARACTERS,
  MAX_EMAIL_CHARACTERS,
  MAX_NAME_CHARACTERS,
  MAX_PASSWORD_CHARACTERS,
  MAX_SIGN_IN_USERNAME_CHARACTERS,
  MAX_UNNORMALIZED_EMAIL_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
} from '#app/limits.ts';
import { USUAL_ROLE } from '../roles.ts';
import {
  idSchema,
  nameInputSchema,
  whenValidBy,
  optionalNameInputSchema,
  singleLineInputSchema,
  timestampSchema,
} from '../field-schemas.server.ts';
import { passwordTooShortText, texts, tooLongText } from '../texts.ts';

export const roleSchema = z.enum(ROLES, 'Please select a role');

export const userSchema = z.strictObject({
  id: idSchema,
  username: z.string(),
  name: z.string().optional().describe('Shown beside the username; absent without one'),
  email: z.string(),
  role: roleSchema,
});

export const listedUserSchema = userSchema.extend({
  deletedAt: timestampSchema.optional().describe('Only of a deleted user, whom only `since` lists'),
});

/** The school is null for an administrator who has yet to create it. */
export const accountSchema = userSchema.extend({ flightSchoolId: idSchema.nullable() });

/** Parses one address, never a list; it is kept as entered, but for two ways to write one letter. */
export const emailInputSchema = (message: string) =>
  z
    .string(message)
    .trim()
    // The length is checked before it is normalized, which costs the square of its length.
    .max(MAX_UNNORMALIZED_EMAIL_CHARACTERS, { error: message, abort: true })
    .overwrite((value) => value.normalize('NFC'))
    .max(MAX_EMAIL_CHARACTERS, { error: message, abort: true })
    .refine(isEmailAddress, message);

/** True if the former user who had the address comes back; false if it is somebody else. */
export const samePersonSchema = z.boolean('samePerson must be yes or no').optional();

export const usernameInputSchema = nameInputSchema(texts.usernameRequired, MAX_NAME_CHARACTERS);
export const passwordInputSchema = z
  .string(passwordTooShortText)
  .min(MIN_PASSWORD_CHARACTERS, passwordTooShortText)
  .max(MAX_PASSWORD_CHARACTERS, tooLongText(MAX_PASSWORD_CHARACTERS));

export const signInSchema = z.object({
  // Names that an earlier release accepted still sign in.
  username: singleLineInputSchema(texts.usernameRequired, MAX_SIGN_IN_USERNAME_CHARACTERS),
  password: z
    .string('Password is required')
    .min(1, 'Password is required')
    .max(MAX_PASSWORD_CHARACTERS, tooLongText(MAX_PASSWORD_CHARACTERS)),
  sharedComputer: z.boolean().optional(),
});

export const forgottenPasswordSchema = z.object({
  username: nameInputSchema(texts.usernameRequired, MAX_SIGN_IN_USERNAME_CHARACTERS),
});

export const addUserSchema = z.object({
  username: usernameInputSchema,
  email: emailInputSchema(texts.emailInvalid),
  password: passwordInputSchema,
  role: roleSchema,
  samePerson: samePersonSchema,
});

/** A call has the usual role, since nobody chooses from a list. */
export const addUserCallSchema = addUserSchema.extend({ role: roleSchema.default(USUAL_ROLE) });

/** Beside the tick: the address that the question was about. */
export const askedAboutEmailSchema = z.string().optional();

export const addUserFormSchema = addUserSchema.extend({ askedAbout: askedAboutEmailSchema });

const shownNameInputSchema = optionalNameInputSchema('Name must be text', MAX_NAME_CHARACTERS);

const userFields = {
  role: roleSchema,
  email: emailInputSchema(texts.emailInvalid),
  username: usernameInputSchema,
  name: shownNameInputSchema,
};

/** Fields that are absent stay as they are. */
export const changeUserSchema = z.object(userFields).partial();

/** Fields of the form; `seen` is what it was filled with. */
export const changeUserFormSchema = z.object({ ...userFields, seen: z.string().optional() });

export const changeOwnNameSchema = z.object({ name: shownNameInputSchema });

export const registerSchema = z.object({ username: usernameInputSchema, password: passwordInputSchema });

const confirmPassword = z.string('Please confirm your password').min(1, 'Please confirm your password');
const bothPasswordsSchema = z.object({ password: z.string().min(1), confirmPassword: z.string().min(1) });

const passwordsMatch = (fields: { password: string; confirmPassword: string }) =>
  fields.password === fields.confirmPassword;

const MISMATCH = {
  path: ['confirmPassword'],
  error: texts.passwordsDiffer,
  ...whenValidBy(bothPasswordsSchema),
};

export const registrationFormSchema = registerSchema.extend({ confirmPassword }).refine(passwordsMatch, MISMATCH);

export const newPasswordFormSchema = z
  .object({ password: passwordInputSchema, confirmPassword })
  .refine(passwordsMatch, MISMATCH);

export const currentPasswordSchema = z
  .string('Please enter your current password')
  .min(1, 'Please enter your current password')
  .max(MAX_PASSWORD_CHARACTERS, tooLongText(MAX_PASSWORD_CHARACTERS));

export const changePasswordFormSchema = z
  .object({ currentPassword: currentPasswordSchema, password: passwordInputSchema, confirmPassword })
  .refine(passwordsMatch, MISMATCH);

const code = z
  .string(texts.codeRequired)
  .trim()
  .min(1, texts.codeRequired)
  .max(MAX_CODE_CHARACTERS, tooLongText(MAX_CODE_CHARACTERS));

export const codeSchema = z.object({ code });

/** 'begin' asks for the password again before it shows the key that 'add' has a code of. */
export const changeSecondFactorSchema = z.discriminatedUnion(
  'intent',
  [
    z.object({ intent: z.literal('begin'), currentPassword: currentPasswordSchema }),
    z.object({ intent: z.literal('add'), code }),
    z.object({ intent: z.enum(['remove', 'new-codes']), currentPassword: currentPasswordSchema, code }),
  ],
  texts.actionRequired,
);

/** The password, and the code of whoever has a second factor. */
export const ownProofSchema = z.object({
  currentPassword: currentPasswordSchema,
  code: z.string().trim().max(MAX_CODE_CHARACTERS, tooLongText(MAX_CODE_CHARACTERS)).optional(),
});

export const changeEmailSchema = ownProofSchema.extend({ email: emailInputSchema(texts.emailInvalid) });

/** In one step, for who has a second factor. */
export const signInCallSchema = signInSchema.extend({ code: code.optional() });

export type User = z.infer<typeof userSchema>;
export type ListedUser = z.infer<typeof listedUserSchema>;
export type Account = z.infer<typeof accountSchema>;
export type SignInInput = z.infer<typeof signInSchema>;
export type AddUserInput = z.infer<typeof addUserSchema>;
export type AddUserFormInput = z.infer<typeof addUserFormSchema>;
export type ChangeUserInput = z.output<typeof changeUserSchema>;
export type ChangeUserFormInput = z.infer<typeof changeUserFormSchema>;
export type ChangeOwnNameInput = z.infer<typeof changeOwnNameSchema>;
export type RegisterInput = z.infer<typeof registerSchema>;
export type RegistrationFormInput = z.infer<typeof registrationFormSchema>;
export type NewPasswordFormInput = z.infer<typeof newPasswordFormSchema>;
export type ChangePasswordFormInput = z.infer<typeof changePasswordFormSchema>;
export type ChangeEmailInput = z.infer<typeof changeEmailSchema>;
export type ForgottenPasswordInput = z.infer<typeof forgottenPasswordSchema>;
export type CodeInput = z.infer<typeof codeSchema>;
export type ChangeSecondFactorInput = z.infer<typeof changeSecondFactorSchema>;
export type OwnProofInput = z.infer<typeof ownProofSchema>;

const LOCAL_PART = /^(?!\.)(?!.*\.\.)[\p{L}\p{M}\p{N}_'+\-.]*[\p{L}\p{M}\p{N}_+-]$/u;
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
const ASCII_DOMAIN = /^([a-z0-9][a-z0-9-]{0,62}\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;
/** RFC 5321 counts bytes. */
const MAX_LOCAL_PART_BYTES = 64;

/** Returns true for one address, whose parts before and after the @ may be in any script (RFC 6531). */
function isEmailAddress(text: string): boolean {
  if (text.length > MAX_EMAIL_CHARACTERS) return false;
  const at = text.lastIndexOf('@');
  const [localPart, domain] = [text.slice(0, at), text.slice(at + 1)];
  const asciiDomain = DOMAIN.test(domain) ? domainToASCII(domain) : '';
  return (
    LOCAL_PART.test(localPart) &&
    Buffer.byteLength(localPart) <= MAX_LOCAL_PART_BYTES &&
    ASCII_DOMAIN.test(asciiDomain) &&
    Buffer.byteLength(localPart) + 1 + asciiDomain.length <= MAX_EMAIL_CHARACTERS
  );
}
