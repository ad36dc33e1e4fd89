import { Link } from '#app/ui/link.tsx';
import { AutosaveStatus } from '#app/ui/forms/autosave-status.tsx';
import { ButtonLink, Card, Actions, Stack, DescriptionList } from '#app/ui/elements.tsx';
import { ErrorSummary, type FormReply, PostForm, DefaultSubmitButton, useForm } from '#app/ui/forms/form.tsx';
import {
  type FormField,
  HiddenField,
  HiddenTailNumberField,
  TextField,
  type SelectOption,
} from '#app/ui/forms/fields.tsx';
import type { CheckInField } from '#app/domain/flights/recorded-form-schema.server.ts';
import type { EndReadingBaseline } from '#app/domain/readings/check-end.ts';
import { texts } from '#app/domain/texts.ts';
import { FlightRecordFields } from '#app/features/flights/form/flight-record-fields.tsx';
import { paths } from '#app/paths.ts';
import type { MeterFieldName } from '#app/features/meters/end-readings/meter-fields.tsx';
import type { MeterKey, MeterScans } from '#app/features/meters/meter-reading-field.tsx';
import { Reading } from '#app/features/meters/reading.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';
import { CheckInFoot } from './check-in-foot.tsx';

type CheckInFields = Record<CheckInField | MeterFieldName | 'endHobbsPhoto' | 'endTachPhoto', FormField>;

export interface CheckInFlight {
  id: number;
  aircraft: { id: number; tailNumber: string; make: string; model: string };
  startHobbsTime: string;
  startTachTime: string;
  /** Time in the school's zone, as inputs have it; '' if not given. */
  checkedOutAt: string;
  departedAt: string;
}

interface CheckInFormProps {
  flight: CheckInFlight;
  context: EndReadingBaseline;
  isStartOdd?: Record<MeterKey, boolean>;
  instructors: { value: SelectOption[] | null; failure: string | null; reference?: string | undefined };
  groundSchoolTimes: SelectOption[];
  scans?: MeterScans;
  meterJustRead?: MeterKey | null;
  requestId: string;
  reply?: FormReply | undefined;
  toast: Toast | null;
}

export function CheckInForm(props: CheckInFormProps) {
  const { flight, context, scans, meterJustRead, instructors, groundSchoolTimes, reply } = props;
  const [form, fields] = useForm<CheckInFields>({
    id: 'check-in',
    lastResult: reply?.result,
    defaultValue: { groundSchoolTime: '0', departedAt: flight.departedAt },
  });
  const { tailNumber, make, model } = flight.aircraft;
  const startReason = { ...fields.startReason, initialValue: fields.startReason.initialValue ?? texts.startMisread };
  return (
    <Screen
      title="Check In"
      showBackLink
      beforeTitle={<ErrorSummary form={form} />}
      toast={props.toast}
      width="form"
      rhythm="cockpit"
    >
      <Card title={tailNumber} isTailNumber subtitle={`${make} ${model}`}>
        <DescriptionList
          items={[
            { term: 'Start Hobbs', detail: <Reading value={flight.startHobbsTime} size="large" /> },
            { term: 'Start Tach', detail: <Reading value={flight.startTachTime} size="large" /> },
          ]}
        />
        <p>
          <Link to={paths.correctFlight(flight.id)}>Correct the start readings</Link>
        </p>
      </Card>
      <PostForm
        action={paths.checkIn(flight.id)}
        id={form.id}
        encType="multipart/form-data"
        data-draft="whole"
        data-aircraft={flight.aircraft.id}
        requestId={props.requestId}
      >
        <DefaultSubmitButton />
        <HiddenTailNumberField value={tailNumber} />
        {flight.id === 0 && <HiddenField name="aircraftId" value={flight.aircraft.id} />}
        <Stack>
          <FlightRecordFields
            formId={form.id}
            fields={fields}
            meters={{
              context,
              isStartOdd: props.isStartOdd,
              startReason: <TextField field={startReason} label="Why the start was wrong" />,
              photos: { fields, aircraftId: flight.aircraft.id, scans, meterJustRead },
            }}
            times={{ checkedOutAt: flight.checkedOutAt }}
            instruction={{ instructors, groundSchoolTimes }}
            report={fields}
          />
          <AutosaveStatus formId={form.id} />
          <CheckInFoot formId={form.id} fields={fields} context={context} />
          <Actions>
            <ButtonLink variant="quiet" to={paths.cancelCheckOut(flight.id)}>
              Cancel check-out
            </ButtonLink>
          </Actions>
        </Stack>
      </PostForm>
    </Screen>
  );
}
