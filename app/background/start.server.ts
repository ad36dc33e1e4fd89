import type { Db } from '#db/connect.server.ts';
import { startMailWorker } from './mail-worker.server.ts';
import { startReminders } from './remind-pilots.server.ts';
import { startImports } from './run-imports.server.ts';
import { startCleanup } from './scheduled-cleanup.server.ts';
import { startSchoolRemovals } from './remove-schools.server.ts';
import { startSealing } from './seal-activity.server.ts';
import { startWarmUp } from './warm-photo-reader.server.ts';
import { startWebhookWorker } from './webhook-worker.server.ts';

export function startBackgroundJobs(db: Db): void {
  startCleanup(db);
  startMailWorker(db);
  startWebhookWorker(db);
  startReminders(db);
  startSchoolRemovals(db);
  startSealing(db);
  startImports();
  startWarmUp();
}
