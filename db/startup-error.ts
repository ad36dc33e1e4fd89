import path from 'node:path';

/** An external problem; its message says what to do and is printed without a stack. */
export class StartupError extends Error {
  readonly exitCode: number = 1;
}

/** Ending of a file's name until the file is complete: the process that writes it and its machine, or those of earlier versions. */
export const PARTIAL_FILE_ENDING = /\.(?:(\d+)-([\da-f]{8})-[\da-f]{4}|[\da-f]+)\.partial$/;

/** Says in words what the system refused of a file; undefined for any other error. */
export function systemErrorText(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return undefined;
  const named = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  const file = named?.replace(PARTIAL_FILE_ENDING, '') ?? 'the file';
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'No space is left on the disk.';
    case 'ENOENT':
      // A socket that is not there has an address, and is no file.
      if (named === undefined) return undefined;
      return file === named ? `There is no ${file}.` : `There is no folder ${path.dirname(file)}.`;
    case 'EACCES':
    case 'EPERM':
      return `This user may not read or write ${file}.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return error.syscall === 'mkdir' ? `${file} can be no folder: it, or what it is in, is a file.` : undefined;
    case 'EROFS':
      return `${file} is on a disk that takes no writes.`;
    default:
      return undefined;
  }
}

export function isFileNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
