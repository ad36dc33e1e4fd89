import { randomBytes } from 'node:crypto';

/** Lets a command read the settings without the server's secret: it signs nothing, and ends before anybody could see it. */
export function allowMissingSecret(): void {
  if (process.env.SESSION_SECRET_FILE) return;
  process.env.SESSION_SECRET ||= randomBytes(32).toString('base64url');
}
