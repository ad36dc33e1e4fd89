import { readFile } from 'node:fs/promises';
import type { Db } from '#db/connect.server.ts';
import { canTakeActivityRole } from '#app/domain/audit/activity-role.server.ts';
import { log } from '#app/server/log.server.ts';
import type { JobWork } from '#app/domain/jobs/job.ts';
import { mailJob } from '#app/domain/mail/mail-job.server.ts';
import { createMailTransport } from '#app/domain/mail/transport.server.ts';
import { passwordLinkJob } from '#app/domain/people/reset-password.server.ts';
import { deliveryJob } from '#app/domain/webhooks/delivery/delivery-job.server.ts';
import { env } from '#app/env.server.ts';
import { importJob } from '#app/server/import-jobs.server.ts';
import { runJobs } from '#app/server/run-jobs.server.ts';
import { onShutdown } from '#app/server/remix-serve/shutdown.server.ts';
import { warmUpPhotoPath } from '#app/domain/meters/engine/model-files.server.ts';
import { preparePhoto } from '#app/domain/meters/photos.server.ts';
import { readMeter } from '#app/domain/meters/read-meter.server.ts';
import { WARM_UP_DELAY_MS } from '#app/limits.ts';
import { recurringJobs } from './recurring-jobs.server.ts';

export function startBackgroundJobs(db: Db): void {
  startJobs(db);
  startWarmUp();
  void warnWithoutRole(db);
}

async function warnWithoutRole(db: Db): Promise<void> {
  const can = await canTakeActivityRole(db).catch(() => true);
  if (!can) log.warn('activity is written as the database user itself: it may not create roles (docs/decisions/073)');
}

/** These are global, since the dev server loads this module repeatedly. */
declare global {
  var jobsStarted: true | undefined;
  var warmUpTimer: NodeJS.Timeout | undefined;
}

/** Works on all jobs until shutdown, which waits for those that are being done (docs/decisions/209). */
export function startJobs(db: Db, works: JobWork[] = worksOf(db)): void {
  if (globalThis.jobsStarted) return;
  globalThis.jobsStarted = true;
  const stopping = new AbortController();
  const working = runJobs(db, works, stopping.signal);
  onShutdown('work', () => {
    stopping.abort();
    return working;
  });
}

function worksOf(db: Db): JobWork[] {
  return [
    passwordLinkJob(db),
    mailJob(db, createMailTransport(env)),
    deliveryJob(db, { allowsPrivateTargets: env.WEBHOOK_PRIVATE_TARGETS === '1' }),
    importJob,
    ...recurringJobs(db),
  ];
}

/** Reads a photo soon after the start, which loads and compiles what the first one would wait for. */
function startWarmUp(): void {
  if (env.PHOTO_WARM_UP === 'no') return;
  globalThis.warmUpTimer ??= setTimeout(() => void warmPhotoReader(), WARM_UP_DELAY_MS).unref();
}

async function warmPhotoReader(): Promise<void> {
  try {
    const { content } = await preparePhoto(await readFile(warmUpPhotoPath()));
    await readMeter(content, { meterType: 'hobbs' });
    log.info('the photo reader is warm');
  } catch (error) {
    log.warn({ err: error }, 'the photo reader could not be warmed');
  }
}
