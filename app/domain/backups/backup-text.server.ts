import { BACKUP_OVERDUE_S, MS_PER_DAY, BACKUP_VERIFICATION_LATE_SECONDS } from '#app/limits.ts';
import { formatDate, formatIsoDate, formatIsoDateTime } from '../format.server.ts';
import type { BackupStatus } from './backup-records.server.ts';

const TELL = ': tell whoever looks after the server.';

/** Returns 'Last backup: today 03:10, verified Sunday.', by the days of the school. */
export function backupText(
  { last, ageSeconds, verified, unprovenSeconds }: BackupStatus,
  timeZone: string,
  now = new Date(),
): string {
  if (!last) return 'No backup yet. On the server, `npm run flightline -- backup FOLDER` makes one.';
  const day = (at: Date) => dayText(at, timeZone, now);
  const time = formatIsoDateTime(last.madeAt, timeZone).slice(11, 16);
  const proof = verified ? `verified ${day(verified.at)}` : 'not verified yet';
  const copy = last.copyFailure === null ? '' : ' Its copy to the second place failed.';
  const made = `Last backup: ${day(last.madeAt)} ${time}, ${proof}.${copy}`;
  if ((ageSeconds ?? 0) > BACKUP_OVERDUE_S) return `${made} None was made for two days${TELL}`;
  return (unprovenSeconds ?? 0) > BACKUP_VERIFICATION_LATE_SECONDS
    ? `${made} None was verified for over a week${TELL}`
    : made;
}

/** Returns 'today', 'yesterday', 'Sunday' or, of no day within the week before, '12 May 2026'. */
function dayText(at: Date, timeZone: string, now: Date): string {
  const [day, today] = [at, now].map((each) => Date.parse(formatIsoDate(each, timeZone))) as [number, number];
  const days = (today - day) / MS_PER_DAY;
  if (days === 0) return 'today';
  if (days === 1) return 'yesterday';
  if (days < 0 || days > 6) return formatDate(at, timeZone).text;
  return new Intl.DateTimeFormat('en', { timeZone: 'UTC', weekday: 'long' }).format(day);
}
