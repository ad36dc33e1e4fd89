import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorText } from '#db/system-error-text.ts';

/** Copies a backup to the folder of the second place, under its name once it is whole. Returns why it failed, if it did. */
export async function copyBackup(file: string, folder: string, overwrite: boolean): Promise<string | undefined> {
  const target = path.join(folder, path.basename(file));
  if (!overwrite && (await stat(target).catch(() => undefined))) return `${target} exists.`;
  const partial = `${target}.${randomUUID().slice(0, 8)}.partial`;
  try {
    await copyFile(file, partial, constants.COPYFILE_EXCL);
    const handle = await open(partial, 'r+');
    await handle.sync().finally(() => handle.close());
    await rename(partial, target);
    return undefined;
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    return systemErrorText(inPlace(error, partial)) ?? (error instanceof Error ? error.message : String(error));
  }
}

/** The error of copyFile names the source first, while it is the copy that cannot be written. */
function inPlace(error: unknown, partial: string): unknown {
  return error instanceof Error && 'dest' in error ? Object.assign(error, { path: partial }) : error;
}
