import type { Db } from '#db/connect.server.ts';
import { compareRowsWithActivity } from '#app/domain/audit/check-record.server.ts';
import { headsFile, noteHeads } from '#app/domain/audit/chain-heads.server.ts';
import { mailHeads } from '#app/domain/audit/mail-heads.server.ts';
import { removeOldEntries } from '#app/domain/audit/remove-old-entries.server.ts';
import { type ChainHead, sealEntries, sealLateEntries } from '#app/domain/audit/seal-entries.server.ts';
import { deleteExpiredDrafts } from '#app/domain/drafts.server.ts';
import { deleteExpiredIdempotencyKeys } from '#app/domain/idempotency.server.ts';
import { deleteOldImports } from '#app/domain/imports/change-import.server.ts';
import { mailNewlyOverdue } from '#app/domain/inspections/mail-overdue.server.ts';
import type { Ending, JobKind, JobWork } from '#app/domain/jobs/job.ts';
import { deleteGivenUpJobs } from '#app/domain/jobs/queries.server.ts';
import { deleteEndedCounts } from '#app/domain/limiter.server.ts';
import { deleteOldMail } from '#app/domain/mail/queries.server.ts';
import { deleteUsedPasskeyChallenges } from '#app/domain/people/passkeys/verify-passkey.server.ts';
import { removeDeletedEmails } from '#app/domain/people/remove-deleted-emails.server.ts';
import { resealFactorKeys } from '#app/domain/people/second-factor/factor-keys.server.ts';
import { deleteOldSessions } from '#app/domain/people/sessions.server.ts';
import { removeDueSchools } from '#app/domain/school/remove-schools.server.ts';
import { mailCheckInReminders } from '#app/domain/times/mail-reminders.server.ts';
import { deleteOldDeliveries, resealWebhookSecrets } from '#app/domain/webhooks/delivery-log.server.ts';
import { env } from '#app/env.server.ts';
import { CLEANUP_INTERVAL_S, REMINDER_INTERVAL_S, SCHOOL_REMOVAL_INTERVAL_S, SEAL_INTERVAL_S } from '#app/limits.ts';
import { importDb } from '#app/server/jobs/import-jobs.server.ts';
import { log } from '#app/server/log.server.ts';

/** Returns the jobs that come again and again; one of the processes does each. */
export function recurringJobs(db: Db): JobWork[] {
  return [
    recurring('reminders', REMINDER_INTERVAL_S, () => mailCheckInReminders(db)),
    recurring('seals', SEAL_INTERVAL_S, () => seal(db)),
    recurring('clean-up', CLEANUP_INTERVAL_S, () => cleanUp(db, importDb)),
    recurring('removals', SCHOOL_REMOVAL_INTERVAL_S, async (stopping) => {
      await removeDueSchools(db, stopping);
      // The next process goes on at once.
      return stopping.aborted ? { outcome: 'released' } : undefined;
    }),
  ];
}

function recurring(
  kind: JobKind,
  everySeconds: number,
  work: (stopping: AbortSignal) => Promise<Ending | undefined | void>,
): JobWork {
  const run: JobWork['run'] = async (_, stopping) => (await work(stopping)) ?? { outcome: 'done' };
  return { kind, atOnce: 1, everySeconds, longestRetrySeconds: everySeconds, run };
}

async function seal(db: Db): Promise<Ending> {
  const heads = await sealEntries(db);
  await note(db, heads);
  return { outcome: 'done', ...(heads.length > 0 && { says: 'activity was sealed', details: { heads } }) };
}

async function sealLate(db: Db): Promise<void> {
  await note(db, await sealLateEntries(db));
}

async function note(db: Db, heads: ChainHead[]): Promise<void> {
  const lost = heads.length > 0 ? await noteHeads(db, headsFile(env.DATA_DIR), heads) : [];
  if (lost.length > 0) log.error({ heads: lost }, 'the activity is not what was recorded');
}

/**
 * Deletes what has expired or grown old, mails what is overdue, checks the record by connections whose statements may take
 * minutes; goes on after a part that fails, and throws at the end.
 */
export async function cleanUp(db: Db, patient = db): Promise<void> {
  const checkRecords = () => compareRowsWithActivity(db, patient);
  const parts = [
    deleteExpiredIdempotencyKeys,
    deleteExpiredDrafts,
    deleteOldSessions,
    deleteEndedCounts,
    deleteUsedPasskeyChallenges,
    deleteOldMail,
    deleteOldDeliveries,
    resealWebhookSecrets,
    resealFactorKeys,
    removeDeletedEmails,
    sealLate,
    removeOldEntries,
    deleteOldImports,
    deleteGivenUpJobs,
    mailNewlyOverdue,
    mailHeads,
    checkRecords,
  ];
  const failed: string[] = [];
  for (const part of parts) {
    await part(db).catch((error: unknown) => {
      failed.push(part.name);
      log.warn({ err: error }, `${part.name} failed`);
    });
  }
  if (failed.length > 0) throw new Error(`${failed.join(', ')} failed`);
}
