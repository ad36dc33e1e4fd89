import { stat } from 'node:fs/promises';
import path from 'node:path';

export interface FileOwner {
  uid: number;
  gid: number;
}

/** Returns true if `user` may enter `folder` and every parent of it. */
export async function canAccess(folder: string, user: FileOwner): Promise<boolean> {
  for (let current = folder; ; current = path.dirname(current)) {
    const { uid, gid, mode } = await stat(current);
    const executeBit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & executeBit) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}
