import type { Db } from '#db/connect.server.ts';
import type { JobWork } from '#app/domain/jobs/job.ts';
import { mailJob } from '#app/domain/mail/mail-job.server.ts';
import { createMailTransport } from '#app/domain/mail/transport.server.ts';
import { passwordLinkJob } from '#app/domain/people/reset-password.server.ts';
import { deliveryJob } from '#app/domain/webhooks/delivery/delivery-job.server.ts';
import { env } from '#app/env.server.ts';
import { importJob } from '#app/server/jobs/import-jobs.server.ts';
import { runJobs } from '#app/server/jobs/run-jobs.server.ts';
import { onShutdown } from '#app/server/remix-serve/shutdown.server.ts';
import { recurringJobs } from './recurring-jobs.server.ts';

declare global {
  /** The variable is global, since the dev server loads this module repeatedly. */
  var jobsStarted: true | undefined;
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
