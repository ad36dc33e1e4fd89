import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { systemErrorText } from '#db/system-error-text.ts';

/** Has a program of the operator's copy a backup, whose name is its argument. Returns why it failed, if it did. */
export async function copyWithProgram(program: string, file: string): Promise<string | undefined> {
  try {
    await promisify(execFile)(program, [file]);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code === 'EACCES') return `${program} is neither a folder nor a program that this user may run.`;
    if (typeof error.code !== 'number') return systemErrorText(error) ?? error.message;
    const said = 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : '';
    return `${program} ended with ${error.code}: ${said || 'it did not say why'}`;
  }
}

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
