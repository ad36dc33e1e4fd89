import { stat } from 'node:fs/promises';
import path from 'node:path';
import { findBackupStatus } from '#app/domain/backups/backup-records.server.ts';
import { BACKUP_OVERDUE_S, BACKUP_VERIFICATION_LATE_SECONDS } from '#app/limits.ts';
import type { Db } from '#db/connect.server.ts';
import { isFileNotFound } from '#db/startup-error.ts';
import type { LaunchSettings } from '../../launcher/environment.ts';
import { count, size } from '../words.ts';
import { type Finding, fault, note, ok } from './finding.ts';

const MAKE =
  '`npm run flightline -- backup FOLDER`, each night by flightline-backup.timer; its journal says what failed.';
const DAY_S = 86_400;

/** Checks when the last backup was made and verified, and that its file is where it was made. */
export async function checkBackups(
  db: Db,
  { APP_URL, BACKUP_COPY_TO }: Pick<LaunchSettings, 'APP_URL' | 'BACKUP_COPY_TO'>,
): Promise<Finding> {
  const { last, ageSeconds = 0, verified, unprovenSeconds = 0 } = await findBackupStatus(db);
  const isOverdue = ageSeconds > BACKUP_OVERDUE_S;
  const isUnproven = unprovenSeconds > BACKUP_VERIFICATION_LATE_SECONDS;
  // A demo on somebody's own machine needs none.
  const late = (isLate: boolean) => (isLate && APP_URL?.startsWith('https:') ? fault : note);
  if (!last) {
    return late(isOverdue)('backup', 'none was made yet', MAKE);
  }
  const file = path.join(last.folder, last.file);
  const text = `${file}, ${size(last.bytes)}, of ${last.madeAt.toISOString()}`;
  if (isOverdue)
    return fault('backup', `the last is ${text}: ${count(Math.round(ageSeconds / DAY_S), 'day')} off`, MAKE);
  if (await isGone(file)) return fault('backup', `the last is not there any more: ${text}`, MAKE);
  if (last.copyFailure !== null)
    return fault('backup', `${text}: ${last.copyFailure}`, 'see BACKUP_COPY_TO; the next backup tries again.');
  if (BACKUP_COPY_TO !== undefined && !isUnproven && (await isOneDisk(last.folder, BACKUP_COPY_TO)))
    return note('backup', `${text}, and its copy are on one disk`, `mount another one at ${BACKUP_COPY_TO}.`);
  if (verified && !isUnproven) return ok('backup', `${text}; one was verified at ${verified.at.toISOString()}`);
  return late(isUnproven)(
    'backup',
    `${text}; none was verified ${isUnproven ? 'for over a week' : 'yet'}`,
    `\`npm run flightline -- backup:verify ${last.folder}\`, each week by flightline-verify.timer.`,
  );
}

/** True where a disk that is not mounted leaves its folder to the one of the backups. False for a program. */
async function isOneDisk(...folders: string[]): Promise<boolean> {
  const [one, other] = await Promise.all(folders.map((folder) => stat(folder).catch(() => undefined)));
  return one?.dev === other?.dev && other?.isDirectory() === true;
}

/** False of a folder that this user may not look into. */
function isGone(file: string): Promise<boolean> {
  return stat(file).then(() => false, isFileNotFound);
}
