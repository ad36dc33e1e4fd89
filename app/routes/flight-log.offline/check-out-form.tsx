import { conditionSuffix, statusSuffix } from '#app/domain/aircraft/find-conditions.ts';
import type { Aircraft } from '#app/domain/aircraft/schema.server.ts';
import type { ItemsToTick } from '#app/domain/flights/start-warnings.server.ts';
import { differenceText } from '#app/domain/readings/check-start.ts';
import { ReadingField } from '#app/features/meters/reading-field.tsx';
import { paths } from '#app/paths.ts';
import { Card, Actions } from '#app/ui/elements.tsx';
import { Checkbox } from '#app/ui/forms/choices.tsx';
import { ErrorSummary, type FormReply, PostForm, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import { initialText, HiddenTailNumberField, SelectField, SchoolTimeField } from '#app/ui/forms/fields.tsx';
import { PhotoField } from '#app/ui/forms/file-field.tsx';
import { useFormValues } from '#app/ui/hooks/use-form-values.ts';
import { Screen } from '#app/ui/page/screen.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';
import { CheckOutConfirmations } from '#app/features/flights/check-out-confirmations.tsx';

export interface FleetAircraft extends Pick<Aircraft, 'id' | 'tailNumber' | 'make' | 'model' | 'status' | 'condition'> {
  toTick: ItemsToTick;
  last: { hobbs: string | null; tach: string | null };
}

interface CheckOutFormProps {
  fleet: FleetAircraft[];
  requestId: string;
  reply: FormReply | undefined;
  toast: Toast | null;
}

type Tick = 'readAgain' | 'unsafeRead' | 'overdueRead' | 'deferralsRead';
type Fields = Record<'aircraftId' | `start${'Hobbs' | 'Tach'}${'Time' | 'Photo'}` | Tick | 'departedAt', string>;

/** All aircraft can be chosen, because one that was out when this page was kept may be back by now. */
export function CheckOutForm({ fleet, requestId, reply, toast }: CheckOutFormProps) {
  const [form, fields] = useForm<Fields>({ id: 'check-out', lastResult: reply?.result });
  const values = useFormValues(form.id, {});
  const chosenId = values.aircraftId ?? initialText(fields.aircraftId);
  const aircraft = fleet.find(({ id }) => String(id) === chosenId);
  const last = aircraft?.last;
  const noteOf = (value: string, lastReading: string | null | undefined) => {
    const text = differenceText(lastReading == null ? null : { value: lastReading, by: null, on: null }, value);
    return text === undefined ? undefined : { tone: 'caution' as const, text };
  };
  const isOdd = noteOf(values.startHobbsTime ?? '', last?.hobbs) ?? noteOf(values.startTachTime ?? '', last?.tach);
  return (
    <Screen
      title="Check Out Aircraft"
      showBackLink
      beforeTitle={<ErrorSummary form={form} />}
      toast={toast}
      width="form"
      rhythm="cockpit"
    >
      <Card>
        <p className="hint">This form works without a network. What you entered in the steps is here.</p>
        <PostForm
          action={paths.checkOutWithoutNetwork}
          id={form.id}
          encType="multipart/form-data"
          requestId={requestId}
        >
          {aircraft && <HiddenTailNumberField value={aircraft.tailNumber} />}
          <SelectField
            field={fields.aircraftId}
            label="Aircraft"
            options={[{ value: '', label: 'Select an aircraft' }, ...fleet.map(toOption)]}
            required
          />
          {aircraft && <CheckOutConfirmations key={aircraft.id} fields={fields} items={aircraft.toTick} />}
          <ReadingField
            field={fields.startHobbsTime}
            label="Hobbs Time"
            getNote={(value) => noteOf(value, last?.hobbs)}
          />
          <PhotoField field={fields.startHobbsPhoto} label="Photo of the Hobbs meter (optional)" />
          <ReadingField field={fields.startTachTime} label="Tach Time" getNote={(value) => noteOf(value, last?.tach)} />
          <PhotoField field={fields.startTachPhoto} label="Photo of the tachometer (optional)" />
          {(isOdd ?? fields.readAgain.errors) && (
            <Checkbox field={fields.readAgain} label="I have read the meter again" required />
          )}
          <SchoolTimeField
            field={fields.departedAt}
            label="The flight departed at (optional)"
            hint="Leave blank to use the current time."
          />
          <Actions>
            <SubmitButton variant="cta" pendingLabel="Starting Flight...">
              Start Flight
            </SubmitButton>
          </Actions>
        </PostForm>
      </Card>
    </Screen>
  );
}

function toOption({ id, tailNumber, make, model, status, condition }: FleetAircraft) {
  const suffix = statusSuffix(status, ' when last asked');
  return { value: String(id), label: `${tailNumber}${conditionSuffix(condition)} · ${make} ${model}${suffix}` };
}
