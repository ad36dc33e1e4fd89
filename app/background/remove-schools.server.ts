import type { Db } from '#db/connect.server.ts';
import { removeDueSchools } from '#app/domain/school/removal/remove-schools.server.ts';
import { SCHOOL_REMOVAL_INTERVAL_MS } from '#app/limits.ts';
import { log } from '#app/server/log.server.ts';

declare global {
  /** The variable is global, since the dev server loads this module repeatedly. */
  var removalTimer: NodeJS.Timeout | undefined;
}

/** Removes schools at the start, which goes on with what was stopped, and every few minutes. */
export function startSchoolRemovals(db: Db): void {
  if (globalThis.removalTimer) return;
  const remove = () =>
    removeDueSchools(db).catch((error: unknown) => log.warn({ err: error }, 'removeDueSchools failed'));
  globalThis.removalTimer = setInterval(() => void remove(), SCHOOL_REMOVAL_INTERVAL_MS).unref();
  void remove();
}
