import type { Db } from '#db/connect.server.ts';
import { canTakeActivityRole } from '#app/domain/audit/activity-role.server.ts';
import { log } from '#app/server/log.server.ts';
import { startJobs } from './run-jobs.server.ts';
import { startWarmUp } from './warm-photo-reader.server.ts';

export function startBackgroundJobs(db: Db): void {
  startJobs(db);
  startWarmUp();
  void warnWithoutRole(db);
}

async function warnWithoutRole(db: Db): Promise<void> {
  const can = await canTakeActivityRole(db).catch(() => true);
  if (!can) log.warn('activity is written as the database user itself: it may not create roles (docs/decisions/073)');
}
