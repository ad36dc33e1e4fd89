import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';

/** Whether this system shows which files a process has open. */
export const CAN_SEE_FILES = existsSync('/proc/self/fd');

/** The temporary files that a process has open in a folder, with a name or without; needs /proc. */
export function openFilesIn(folder: string, pid: number | 'self') {
  const descriptors = `/proc/${pid}/fd`;
  return readdirSync(descriptors).flatMap((descriptor) => {
    const file = path.join(descriptors, descriptor);
    try {
      if (!readlinkSync(file).startsWith(`${folder}/`)) return [];
      const { mode, nlink, size } = statSync(file);
      return [{ mode: mode & 0o777, names: nlink, size }];
    } catch {
      // Closed since the descriptors were read.
      return [];
    }
  });
}
