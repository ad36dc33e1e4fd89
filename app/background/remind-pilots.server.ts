import type { Db } from '#db/connect.server.ts';
import { mailReminders } from '#app/domain/times/mail-reminders.server.ts';
import { REMINDER_INTERVAL_MS } from '#app/limits.ts';
import { log } from '#app/server/log.server.ts';

declare global {
  var reminderTimer: NodeJS.Timeout | undefined;
}

export function startReminders(db: Db): void {
  const remind = () => mailReminders(db).catch((error: unknown) => log.warn({ err: error }, 'mailReminders failed'));
  globalThis.reminderTimer ??= setInterval(() => void remind(), REMINDER_INTERVAL_MS).unref();
}
