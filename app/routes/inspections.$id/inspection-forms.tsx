import { Link } from '#app/ui/link.tsx';
import type { Aircraft } from '#app/domain/aircraft/schema.server.ts';
import type { Inspection } from '#app/domain/inspections/queries.server.ts';
import { InspectionFields, type InspectionFormValues } from '#app/features/inspections/inspection-fields.tsx';
import { ReadingField } from '#app/features/meters/reading-field.tsx';
import { paths } from '#app/paths.ts';
import { Card, Actions, Stack } from '#app/ui/elements.tsx';
import { ActForm, ErrorSummary, type FormReply, PostForm, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import { HiddenField, TextArea, TextField } from '#app/ui/forms/fields.tsx';
import { AircraftTrail } from '#app/ui/page/trail.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';

interface InspectionFormsProps {
  inspection: Inspection;
  seen: string;
  typedOver: Record<'done' | 'change', string | undefined>;
  aircraft: Pick<Aircraft, 'id' | 'tailNumber' | 'lastHobbsTime' | 'lastTachTime'>;
  today: string;
  requestId: string;
  reply: FormReply | undefined;
  toast: Toast | null;
}

/** Shows a form each for done, change and remove; a reply belongs to the one whose intent it repeats. */
export function InspectionForms(props: InspectionFormsProps) {
  const { inspection, aircraft, today, requestId, reply, toast } = props;
  const seenIn = (form: 'done' | 'change') => (reply ? undefined : props.typedOver[form]) ?? props.seen;
  const isSaving = reply?.result?.initialValue?.intent === 'save';
  const last = inspection.due.at === 'hobbs' ? aircraft.lastHobbsTime : aircraft.lastTachTime;
  const [done, doneFields] = useForm<Record<'reading' | 'doneOn' | 'remark', string>>({
    id: 'done',
    lastResult: isSaving ? undefined : reply?.result,
    defaultValue: { reading: last ?? '', doneOn: today },
  });
  const [change, changeFields] = useForm<InspectionFormValues>({
    id: 'inspection',
    lastResult: isSaving ? reply?.result : undefined,
    defaultValue: toFormValues(inspection),
  });
  return (
    <Screen
      title={inspection.name}
      subtitle={
        <Link className="text-link" to={paths.aircraft(aircraft.id)}>
          {aircraft.tailNumber}
        </Link>
      }
      showBackLink
      trail={<AircraftTrail aircraft={aircraft} page="Inspection" />}
      beforeTitle={<ErrorSummary form={isSaving ? change : done} />}
      toast={toast}
      width="form"
    >
      <Stack>
        <Card title="Done">
          <PostForm id={done.id} requestId={requestId}>
            <HiddenField name="intent" value="done" />
            <HiddenField name="seen" value={seenIn('done')} />
            {inspection.due.at !== 'date' && (
              <ReadingField
                field={doneFields.reading}
                label={inspection.due.at === 'hobbs' ? 'Hobbs reading' : 'Tach reading'}
              />
            )}
            <TextField field={doneFields.doneOn} label="Done on" type="date" max={today} required />
            <TextArea field={doneFields.remark} label="Remark (optional)" rows={2} />
            <p className="hint">
              {inspection.interval ? 'The next interval starts from here.' : 'It was due once and goes from the list.'}
            </p>
            <Actions>
              <SubmitButton>Mark as Done</SubmitButton>
            </Actions>
          </PostForm>
        </Card>
        <Card title="Change">
          <PostForm id={change.id} requestId={requestId}>
            <HiddenField name="intent" value="save" />
            <HiddenField name="seen" value={seenIn('change')} />
            <InspectionFields fields={changeFields} />
            <Actions>
              <SubmitButton variant="secondary">Save Inspection</SubmitButton>
            </Actions>
          </PostForm>
        </Card>
        <Card title="Remove">
          <ActForm requestId={requestId}>
            <HiddenField name="intent" value="remove" />
            <p>{`${aircraft.tailNumber} no longer has to be looked at for this. What was done stays in the activity.`}</p>
            <Actions>
              <SubmitButton variant="secondary">Remove Inspection</SubmitButton>
            </Actions>
          </ActForm>
        </Card>
      </Stack>
    </Screen>
  );
}

function toFormValues({ name, due, interval }: Inspection): InspectionFormValues {
  const isDate = due.at === 'date';
  return {
    name,
    dueAt: due.at,
    dueReading: isDate ? '' : due.value,
    dueDate: isDate ? due.value : '',
    interval: interval === null ? '' : String(interval.count),
    intervalUnit: interval?.unit ?? (isDate ? 'months' : 'hours'),
  };
}
