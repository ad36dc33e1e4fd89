import { z } from 'zod';
import { currentPasswordSchema } from '../people/schema.server.ts';

/** An access token that may manage needs no password. */
export const exportSchema = z.object({ password: currentPasswordSchema.optional() });

export const confirmExportSchema = z.object({ currentPassword: currentPasswordSchema });

/** Texts that browsers do not load with every page. */
export const archiveTexts = {
  passwordRequired: 'Please enter your current password',
  passwordFirst: 'Please send your password with POST, or use an access token that may manage.',
  exportFirst: 'Please export everything first: the last export was more than a day ago, or there was none.',
  otherName: "This is not the school's name",
  nameRequired: "Please type the school's name",
  notAsked: 'Nobody has asked for the deletion of this school.',
} as const;
