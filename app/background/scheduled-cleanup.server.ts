import type { Db } from '#db/connect.server.ts';
import { removeOldEntries } from '#app/domain/audit/remove-old-entries.server.ts';
import { deleteExpiredDrafts } from '#app/domain/drafts.server.ts';
import { deleteOldImports } from '#app/domain/imports/change-import.server.ts';
import { deleteExpiredIdempotencyKeys } from '#app/domain/idempotency.server.ts';
import { mailNewlyOverdue } from '#app/domain/inspections/mail-overdue.server.ts';
import { deleteEndedCounts } from '#app/domain/limiter.server.ts';
import { deleteOldMail } from '#app/domain/mail/queries.server.ts';
import { deleteUsedPasskeyChallenges } from '#app/domain/people/passkeys/passkey-challenges.server.ts';
import { removeDeletedEmails } from '#app/domain/people/remove-deleted-emails.server.ts';
import { deleteOldSessions } from '#app/domain/people/sessions.server.ts';
import { deleteOldDeliveries, resealWebhookSecrets } from '#app/domain/webhooks/delivery-log.server.ts';
import { CLEANUP_INTERVAL_MS } from '#app/limits.ts';
import { log } from '#app/server/log.server.ts';

declare global {
  var cleanupTimer: NodeJS.Timeout | undefined;
}

/** Deletes every hour what has expired or grown old, and mails what is overdue. */
export function startCleanup(db: Db): void {
  globalThis.cleanupTimer ??= setInterval(() => void runCleanup(db), CLEANUP_INTERVAL_MS).unref();
}

/** Logs a failing task and leaves it to the next run. */
export async function runCleanup(db: Db): Promise<void> {
  const rounds = [
    deleteExpiredIdempotencyKeys,
    deleteExpiredDrafts,
    deleteOldSessions,
    deleteEndedCounts,
    deleteUsedPasskeyChallenges,
    deleteOldMail,
    deleteOldDeliveries,
    resealWebhookSecrets,
    removeDeletedEmails,
    removeOldEntries,
    deleteOldImports,
    mailNewlyOverdue,
  ];
  for (const round of rounds) {
    await round(db).catch((error: unknown) => log.warn({ err: error }, `${round.name} failed`));
  }
}
