import { stat } from 'node:fs/promises';
import path from 'node:path';

/** A user of the machine, and the group that counts. */
export interface FileOwner {
  uid: number;
  gid: number;
}

/** Whether `user` may pass through `folder` and every parent of it. */
export async function canAccess(folder: string, user: FileOwner): Promise<boolean> {
  for (let place = folder; ; place = path.dirname(place)) {
    const { uid, gid, mode } = await stat(place);
    const passage = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & passage) === 0) return false;
    if (place === path.dirname(place)) return true;
  }
}
