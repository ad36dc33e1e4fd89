import { z } from 'zod';
import { currentPasswordSchema } from '../people/schema.server.ts';

/** An access token that may manage needs no password. */
export const exportSchema = z.object({ password: currentPasswordSchema.optional() });

export const confirmExportSchema = z.object({ currentPassword: currentPasswordSchema });
