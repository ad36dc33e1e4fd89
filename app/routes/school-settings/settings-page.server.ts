import type { Actor } from '#app/domain/actor.ts';
import { findRoleThatCanAlterActivity } from '#app/domain/audit/activity-guard.server.ts';
import { findBackupStatus } from '#app/domain/backups/backup-records.server.ts';
import { backupText } from '#app/domain/backups/backup-text.server.ts';
import { findImports } from '#app/domain/imports/queries.server.ts';
import { can } from '#app/domain/permissions.ts';
import { findSchool, findSchoolSettings } from '#app/domain/school/queries.server.ts';
import { NEVER_REMIND, type SchoolFormInput, serverTimeZone, timeZones } from '#app/domain/school/schema.server.ts';
import { saveSchool } from '#app/domain/school/save-school.server.ts';
import { findRemovalState } from '#app/domain/school/school-removal.server.ts';
import { texts } from '#app/domain/texts.ts';
import { findWebhooks } from '#app/domain/webhooks/queries.server.ts';
import { DEFAULT_ACTIVITY_KEPT_DAYS, DEFAULT_REMINDER_AFTER_HOURS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { newFormRequestId } from '#app/server/screen.server.ts';

type Page = Awaited<ReturnType<typeof loadSettingsPage>>;
export type ReadOnlySettings = Extract<Page, { zones: null }>;
export type EditableSettings = Exclude<Page, { zones: null }>;

export async function loadSettingsPage(actor: Actor) {
  const school = await findSchool(db, actor.schoolId);
  if (!can(actor.role, 'manage school')) return { school, zones: null, noSchool: texts.noSchool };
  const timeZone = school?.timeZone ?? serverTimeZone();
  const activityKeptDays = school?.activityKeptDays ?? DEFAULT_ACTIVITY_KEPT_DAYS;
  const settings = await findSchoolSettings(db, actor.schoolId);
  const administratorsNeedSecondFactor = settings?.administratorsNeedSecondFactor ? 'on' : '';
  const givesMeterPhotos = settings?.givesMeterPhotos ? 'on' : '';
  const reminder = settings ? settings.reminderAfterHours : DEFAULT_REMINDER_AFTER_HOURS;
  const reminderAfterHours = reminder === null ? NEVER_REMIND : String(reminder);
  const lists = { activityKeptDays: String(activityKeptDays), reminderAfterHours };
  return {
    school: { ...school, ...lists, timeZone, administratorsNeedSecondFactor, givesMeterPhotos },
    reminders: reminderOptions(reminder),
    zones: timeZones(timeZone),
    keptDays: keptDaysOptions(activityKeptDays),
    hasSchool: actor.schoolId !== null,
    ...(await findMoves(actor.schoolId)),
    backup: backupText(await findBackupStatus(db), timeZone),
    guard: (await findRoleThatCanAlterActivity(db)) === undefined ? null : texts.activityGuardedLess,
    requestId: newFormRequestId(),
  };
}

async function findMoves(schoolId: number | null) {
  if (schoolId === null) return { isExported: false, imports: [], webhooks: [] };
  const [{ isExported }, imports, webhooks] = await Promise.all([
    findRemovalState(db, schoolId),
    findImports(db, schoolId),
    findWebhooks(db, schoolId),
  ]);
  return {
    isExported,
    imports: imports.map(({ id, fileName }) => ({ to: paths.import(id), text: fileName })),
    webhooks: webhooks.map(({ id, url }) => ({ to: paths.webhook(id), text: url })),
  };
}

const KEPT_DAYS = [90, 180, 365, 730, 1825, 3650];

function keptDaysOptions(current: number): { value: string; label: string }[] {
  const days = [...new Set([...KEPT_DAYS, current])].toSorted((a, b) => a - b);
  return days.map((count) => ({ value: String(count), label: daysText(count) }));
}

const REMINDER_HOURS = [2, 4, 6, 8, 12, 24];

function reminderOptions(current: number | null): { value: string; label: string }[] {
  const hours = [...new Set([...REMINDER_HOURS, ...(current === null ? [] : [current])])].toSorted((a, b) => a - b);
  const options = hours.map((count) => ({ value: String(count), label: count === 1 ? '1 hour' : `${count} hours` }));
  return [...options, { value: NEVER_REMIND, label: 'Never' }];
}

function daysText(days: number): string {
  const years = days / 365;
  if (!Number.isInteger(years)) return `${days} days`;
  return years === 1 ? '1 year' : `${years} years`;
}

export async function saveSettings(actor: Actor, input: SchoolFormInput, requestId: string | undefined) {
  const { administratorsNeedSecondFactor = false, givesMeterPhotos = false } = input;
  await saveSchool(db, actor, { ...input, administratorsNeedSecondFactor, givesMeterPhotos }, requestId);
  return redirectWithToast(paths.schoolSettings, successToast('Success', 'School settings updated successfully'));
}
