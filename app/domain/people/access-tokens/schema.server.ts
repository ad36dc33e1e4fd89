import { z } from 'zod';
import { ACCESS_TOKEN_LIVES_DAYS, MAX_ACCESS_TOKEN_NAME_CHARACTERS, MAX_ACCESS_TOKENS } from '#app/limits.ts';
import { idSchema, nameInputSchema, timestampSchema } from '../../field-schemas.server.ts';
import { TOKEN_SCOPES, type TokenScope } from './scopes.ts';

/** Texts that browsers do not load with every page. */
export const accessTokenTexts = {
  nameRequired: 'Please give it a name',
  scopeRequired: 'Please choose what it may do',
  lifeRequired: 'Please choose when it ends',
  notFound: 'Access token not found',
  tooMany: `You can have at most ${MAX_ACCESS_TOKENS} access tokens. Please remove one first.`,
  passwordNeeded: 'This asks for your password: please do it in the browser.',
  tooManyRequests: 'This access token was used too often in the last minute. Please wait.',
} as const;

export const scopeNeededText = (scope: TokenScope) =>
  `This access token may not do this: it takes the scope '${scope}'.`;

export const addAccessTokenSchema = z.object({
  name: nameInputSchema(accessTokenTexts.nameRequired, MAX_ACCESS_TOKEN_NAME_CHARACTERS),
  scope: z.enum(TOKEN_SCOPES, accessTokenTexts.scopeRequired),
  days: z.enum(ACCESS_TOKEN_LIVES_DAYS.map(String), accessTokenTexts.lifeRequired).transform(Number),
});

export type AddAccessTokenInput = z.output<typeof addAccessTokenSchema>;
export type AddAccessTokenFormInput = z.input<typeof addAccessTokenSchema>;

export const accessTokenSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  scope: z.enum(TOKEN_SCOPES),
  createdAt: timestampSchema,
  expiresAt: timestampSchema.describe('Past it the token is good for nothing'),
  lastUsedAt: timestampSchema.nullable().describe('To some seconds'),
});

export type ListedAccessToken = z.infer<typeof accessTokenSchema>;
