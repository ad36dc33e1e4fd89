import { IMPORT_POLL_INTERVAL_MS } from '#app/limits.ts';
import { runWaitingImports } from '#app/server/imports/import-jobs.server.ts';
import { log } from '#app/server/log.server.ts';

declare global {
  /** The variable is global, since the dev server loads this module repeatedly. */
  var importTimer: NodeJS.Timeout | undefined;
}

/** Takes up imports whose process ended before they were done. */
export function startImports(): void {
  const run = () =>
    runWaitingImports().catch((error: unknown) => log.warn({ err: error }, 'imports could not be read'));
  globalThis.importTimer ??= setInterval(() => void run(), IMPORT_POLL_INTERVAL_MS).unref();
}
