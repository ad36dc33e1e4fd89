import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { systemErrorText } from '#db/startup-error.ts';

const BLOCK = Buffer.alloc(64 * 1024);

/** Warns in the log where uploads could not be kept on their way. All else works without that folder, so the server starts. */
export async function warnOfTemporaryFolder(folder = tmpdir(), log = pino({ base: undefined })): Promise<void> {
  const file = path.join(folder, `flightline-start.${randomUUID().slice(0, 8)}.partial`);
  try {
    await writeFile(file, BLOCK, { flag: 'wx' });
  } catch (error) {
    const why = systemErrorText(error) ?? (error instanceof Error ? error.message : String(error));
    log.warn(
      `Uploads are refused until ${folder} can be written to: ${why} Make room there, or set TMPDIR to another folder.`,
    );
  } finally {
    await rm(file, { force: true });
  }
}
