import { readFile } from 'node:fs/promises';
import type { Db } from '#db/connect.server.ts';
import { findRoleThatCanAlterActivity } from '#app/domain/audit/activity-guard.server.ts';
import { log } from '#app/server/log.server.ts';
import { env } from '#app/env.server.ts';
import { warmUpPhotoPath } from '#app/domain/meters/engine/model-files.server.ts';
import { preparePhoto } from '#app/domain/meters/photos.server.ts';
import { readMeter } from '#app/domain/meters/read-meter.server.ts';
import { PHOTO_READER_WARM_UP_DELAY_MS } from '#app/limits.ts';
import { startJobs } from './run-jobs.server.ts';

export function startBackgroundJobs(db: Db): void {
  startJobs(db);
  startWarmUp();
  void warnOfRole(db);
}

async function warnOfRole(db: Db): Promise<void> {
  const role = await findRoleThatCanAlterActivity(db).catch(() => undefined);
  if (role !== undefined)
    log.warn(
      `the activity is guarded less: ${role}, as which the product signs in to Postgres, may change its tables (docs/operate.md, Two roles)`,
    );
}

declare global {
  /** The variable is global, since the dev server loads this module repeatedly. */
  var warmUpTimer: NodeJS.Timeout | undefined;
}

/** Reads a photo soon after the start, which loads and compiles what the first one would wait for. */
function startWarmUp(): void {
  if (env.PHOTO_WARM_UP === 'no') return;
  globalThis.warmUpTimer ??= setTimeout(() => void warmPhotoReader(), PHOTO_READER_WARM_UP_DELAY_MS).unref();
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
