import { keepFormOnNetworkError, ErrorSummary, PostForm, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink, Card, DescriptionList, Notice } from '#app/ui/elements.tsx';
import { Checkbox } from '#app/ui/forms/choices.tsx';
import { SelectField, TextField } from '#app/ui/forms/fields.tsx';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { LinkList, MoveOut } from './school-links.tsx';
import {
  type EditableSettings,
  loadSettingsPage,
  type ReadOnlySettings,
  saveSettings,
} from './settings-page.server.ts';
import { type SchoolFormInput, schoolFormSchema } from '#app/domain/school/schema.server.ts';
import { paths } from '#app/paths.ts';

export const clientAction = keepFormOnNetworkError('Failed to update school settings');

export { handle } from '#app/ui/page/school-navigation.tsx';

export const meta = createTitleMeta('School Settings');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: ({ actor }) => loadSettingsPage(actor),
});

export const action = authedFormAction({
  can: 'manage school',
  school: 'optional',
  schema: schoolFormSchema,
  failed: 'Failed to update school settings',
  run: ({ actor, input, requestId }) => saveSettings(actor, input, requestId),
});

export default function SchoolSettings() {
  const data = useLoaderData<typeof loader>();
  return data.zones === null ? <ReadOnly {...data} /> : <Editable {...data} />;
}

function Editable(props: EditableSettings) {
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
        <PostForm id={form.id} requestId={requestId}>
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

function ReadOnly({ school, noSchool }: ReadOnlySettings) {
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
