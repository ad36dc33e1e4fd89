import type { Db } from '#db/connect.server.ts';
import { canTakeActivityRole } from '#app/domain/audit/activity-role.server.ts';
import { sealEntries } from '#app/domain/audit/seal-entries.server.ts';
import { SEAL_INTERVAL_MS } from '#app/limits.ts';
import { log } from '#app/server/log.server.ts';

declare global {
  /** The variable is global, since the dev server loads this module repeatedly. */
  var sealingTimer: NodeJS.Timeout | undefined;
}

/** Chains new activity by hashes every few seconds (docs/decisions/074). */
export function startSealing(db: Db): void {
  if (globalThis.sealingTimer) return;
  globalThis.sealingTimer = setInterval(() => void seal(db), SEAL_INTERVAL_MS).unref();
  void warnWithoutRole(db);
}

async function seal(db: Db): Promise<void> {
  try {
    const heads = await sealEntries(db);
    // These hashes, kept outside of the database, prove that nobody has rewritten a whole chain.
    if (heads.length > 0) log.info({ heads }, 'activity was sealed');
  } catch (error) {
    log.warn({ err: error }, 'activity could not be sealed');
  }
}

async function warnWithoutRole(db: Db): Promise<void> {
  const can = await canTakeActivityRole(db).catch(() => true);
  if (!can) log.warn('activity is written as the database user itself: it may not create roles (docs/decisions/073)');
}
