import { keepFormOnNetworkError, ErrorSummary, PostForm, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import { authedFormAction, authedLoader, newRequestId } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink, Card, DescriptionList, Notice } from '#app/ui/elements.tsx';
import { Checkbox } from '#app/ui/forms/choices.tsx';
import { RequestId, SelectField, type SelectOption, TextField } from '#app/ui/forms/fields.tsx';
import { Screen, pageTitle, useToast } from '#app/ui/page/screen.tsx';
import { LinkList, MoveOut } from './school-links.tsx';
import { db } from '#app/server/db.server.ts';
import { can } from '#app/domain/permissions.ts';
import {
  type FlightSchool,
  NEVER,
  type SchoolFormInput,
  schoolFormSchema,
  serverTimeZone,
  timeZones,
} from '#app/domain/school/schema.server.ts';
import { findRoleOverActivity } from '#app/domain/audit/activity-guard.server.ts';
import { findLastBackup } from '#app/domain/backups/backup-records.server.ts';
import { backupText } from '#app/domain/backups/backup-text.server.ts';
import { findSchool, findSchoolSettings } from '#app/domain/school/queries.server.ts';
import { findImports } from '#app/domain/imports/queries.server.ts';
import { findWebhooks } from '#app/domain/webhooks/queries.server.ts';
import { findRemoval } from '#app/domain/school/school-removal.server.ts';
import { saveSchool } from '#app/domain/school/save-school.server.ts';
import { texts } from '#app/domain/texts.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { ACTIVITY_KEPT_DAYS, REMINDER_AFTER_HOURS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';

export const clientAction = keepFormOnNetworkError('Failed to update school settings');

export { handle } from '#app/ui/page/school-navigation.tsx';

export const meta = pageTitle('School Settings');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor }) => {
    const school = await findSchool(db, actor.schoolId);
    if (!can(actor.role, 'manage school')) return { school, zones: null, noSchool: texts.noSchool };
    const timeZone = school?.timeZone ?? serverTimeZone();
    const activityKeptDays = school?.activityKeptDays ?? ACTIVITY_KEPT_DAYS;
    const settings = await findSchoolSettings(db, actor.schoolId);
    const administratorsNeedSecondFactor = settings?.administratorsNeedSecondFactor ? 'on' : '';
    const givesMeterPhotos = settings?.givesMeterPhotos ? 'on' : '';
    const reminder = settings ? settings.reminderAfterHours : REMINDER_AFTER_HOURS;
    const reminderAfterHours = reminder === null ? NEVER : String(reminder);
    const lists = { activityKeptDays: String(activityKeptDays), reminderAfterHours };
    return {
      school: { ...school, ...lists, timeZone, administratorsNeedSecondFactor, givesMeterPhotos },
      reminders: reminderOptions(reminder),
      zones: timeZones(timeZone),
      keptDays: keptDaysOptions(activityKeptDays),
      hasSchool: actor.schoolId !== null,
      ...(await findMoves(actor.schoolId)),
      backup: backupText(await findLastBackup(db), timeZone),
      guard: (await findRoleOverActivity(db)) === undefined ? null : texts.activityGuardedLess,
      requestId: newRequestId(),
    };
  },
});

async function findMoves(schoolId: number | null) {
  if (schoolId === null) return { isExported: false, imports: [], webhooks: [] };
  const [{ isExported }, imports, webhooks] = await Promise.all([
    findRemoval(db, schoolId),
    findImports(db, schoolId),
    findWebhooks(db, schoolId),
  ]);
  return {
    isExported,
    imports: imports.map(({ id, fileName }) => ({ to: paths.import(id), text: fileName })),
    webhooks: webhooks.map(({ id, url }) => ({ to: paths.webhook(id), text: url })),
  };
}

export const action = authedFormAction({
  can: 'manage school',
  school: 'optional',
  schema: schoolFormSchema,
  failed: 'Failed to update school settings',
  run: async ({ actor, input, requestId }) => {
    const { administratorsNeedSecondFactor = false, givesMeterPhotos = false } = input;
    await saveSchool(db, actor, { ...input, administratorsNeedSecondFactor, givesMeterPhotos }, requestId);
    return redirectWithToast(paths.schoolSettings, successToast('Success', 'School settings updated successfully'));
  },
});

export default function SchoolSettings() {
  const data = useLoaderData<typeof loader>();
  return data.zones === null ? <ReadOnly {...data} /> : <Editable {...data} />;
}

const KEPT_DAYS = [90, 180, 365, 730, 1825, 3650];

function keptDaysOptions(current: number): SelectOption[] {
  const days = [...new Set([...KEPT_DAYS, current])].toSorted((a, b) => a - b);
  return days.map((count) => ({ value: String(count), label: daysText(count) }));
}

const REMINDER_HOURS = [2, 4, 6, 8, 12, 24];

function reminderOptions(current: number | null): SelectOption[] {
  const hours = [...new Set([...REMINDER_HOURS, ...(current === null ? [] : [current])])].toSorted((a, b) => a - b);
  const options = hours.map((count) => ({ value: String(count), label: count === 1 ? '1 hour' : `${count} hours` }));
  return [...options, { value: NEVER, label: 'Never' }];
}

function daysText(days: number): string {
  const years = days / 365;
  if (!Number.isInteger(years)) return `${days} days`;
  return years === 1 ? '1 year' : `${years} years`;
}

interface EditableProps {
  school: Partial<Omit<FlightSchool, 'activityKeptDays'>> & {
    activityKeptDays: string;
    reminderAfterHours: string;
    administratorsNeedSecondFactor: string;
    givesMeterPhotos: string;
  };
  zones: string[];
  keptDays: SelectOption[];
  reminders: SelectOption[];
  hasSchool: boolean;
  isExported: boolean;
  imports: { to: string; text: string }[];
  webhooks: { to: string; text: string }[];
  backup: string;
  guard: string | null;
  requestId: string;
}

function Editable(props: EditableProps) {
  const { school, zones, keptDays, reminders, hasSchool, isExported, imports, webhooks, backup, requestId, guard } =
    props;
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<SchoolFormInput>({ id: 'school', lastResult: reply?.result, defaultValue: school });
  return (
    <Screen
      title="School Settings"
      showBackLink
      beforeTitle={<ErrorSummary form={form} />}
      toast={useToast(reply)}
      width="form"
      actions={hasSchool && <ButtonLink to={paths.imports}>Import</ButtonLink>}
    >
      <Card>
        <PostForm id={form.id}>
          <RequestId value={requestId} />
          <TextField field={fields.name} label="School Name" autoComplete="organization" required />
          <TextField field={fields.address} label="Address" autoComplete="street-address" required />
          <TextField field={fields.phone} label="Phone Number" type="tel" autoComplete="tel" required />
          <SelectField
            field={fields.timeZone}
            label="Time Zone"
            hint="Every page shows its times in this zone."
            options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
          />
          <SelectField
            field={fields.activityKeptDays}
            label="Keep Activity For"
            hint="Older entries of who did what are deleted."
            options={keptDays}
          />
          <SelectField
            field={fields.reminderAfterHours}
            label="Remind Pilots Of A Check-In After"
            hint="A pilot whose flight is open for longer gets one mail."
            options={reminders}
          />
          <Checkbox
            field={fields.administratorsNeedSecondFactor}
            label="Administrators must use a second factor"
            hint="Whoever has none is asked to set it up at the next page."
          />
          <Checkbox
            field={fields.givesMeterPhotos}
            label="Give confirmed meter photos"
            hint="They train the meter reader: the counter cut out of its photo, and its reading. No aircraft, person or place."
          />
          <SubmitButton pendingLabel="Saving...">Save Changes</SubmitButton>
        </PostForm>
      </Card>
      <Card
        title="Webhooks"
        subtitle="They tell programs of yours what happens."
        actions={
          <>
            <ButtonLink to={paths.webhooks}>Webhooks</ButtonLink>
            <ButtonLink to={paths.addWebhook}>Add a Webhook</ButtonLink>
          </>
        }
      >
        {webhooks.length > 0 && <LinkList links={webhooks} />}
      </Card>
      {imports.length > 0 && (
        <Card title="Imports">
          <LinkList links={imports} />
        </Card>
      )}
      <Card title="Backup">
        <p>{backup}</p>
        {guard && <p>{guard}</p>}
      </Card>
      {hasSchool && <MoveOut isExported={isExported} />}
    </Screen>
  );
}

function ReadOnly({ school, noSchool }: { school: FlightSchool | undefined; noSchool: string }) {
  return (
    <Screen title="School Settings" showBackLink toast={useToast(undefined)} width="form">
      <Notice tone="info">Only administrators can change school settings.</Notice>
      <Card>
        {!school && <p>{noSchool}</p>}
        {school && (
          <DescriptionList
            items={[
              { term: 'School Name', detail: school.name },
              { term: 'Address', detail: school.address },
              { term: 'Phone Number', detail: school.phone },
              { term: 'Time Zone', detail: school.timeZone.replaceAll('_', ' ') },
            ]}
          />
        )}
      </Card>
    </Screen>
  );
}
