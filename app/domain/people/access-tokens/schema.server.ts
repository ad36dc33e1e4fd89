import { z } from 'zod';
import { ACCESS_TOKEN_LIVES_DAYS, MAX_ACCESS_TOKEN_NAME_CHARACTERS } from '#app/limits.ts';
import { idSchema, nameInputSchema, timestampSchema } from '../../field-schemas.server.ts';
import { accessTokenTexts } from './access-token-texts.server.ts';
import { TOKEN_SCOPES } from './scopes.ts';

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
