import { texts } from '#app/domain/texts.ts';
import type { CheckInField } from '#app/domain/flights/recorded-form-schema.server.ts';
import type { EndReadingBaseline } from '#app/domain/readings/check-end.ts';
import { FlightTimeFields } from '#app/features/flights/form/flight-time-fields.tsx';
import { type EndReadingFieldName, EndReadingFields } from '#app/features/meters/end-readings/end-reading-fields.tsx';
import type { MeterKey, MeterScans } from '#app/features/meters/meter-reading-field.tsx';
import { Card } from '#app/ui/card.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { TextField } from '#app/ui/forms/text-field.tsx';

export type CheckInFields = Record<CheckInField | EndReadingFieldName | 'endHobbsPhoto' | 'endTachPhoto', FormField>;

export interface CheckInFlight {
  id: number;
  aircraft: { id: number; tailNumber: string; make: string; model: string };
  startHobbsTime: string;
  startTachTime: string;
  /** Time in the school's zone, as inputs have it; '' if not given. */
  checkedOutAt: string;
  departedAt: string;
}

interface FinalReadingFieldsProps {
  formId: string;
  fields: CheckInFields;
  flight: CheckInFlight;
  context: EndReadingBaseline;
  isStartOdd: Record<MeterKey, boolean>;
  scans: MeterScans;
  meterJustRead: MeterKey | null;
}

export function FinalReadingFields(props: FinalReadingFieldsProps) {
  const { formId, fields, flight, context, isStartOdd, scans, meterJustRead } = props;
  const startReason = { ...fields.startReason, initialValue: fields.startReason.initialValue ?? texts.startMisread };
  return (
    <Card title="Final Meter Readings">
      <EndReadingFields
        formId={formId}
        fields={fields}
        context={context}
        isStartOdd={isStartOdd}
        startReason={<TextField field={startReason} label="Why the start was wrong" />}
        photos={{ fields, aircraftId: flight.aircraft.id, scans, meterJustRead }}
      />
      <FlightTimeFields formId={formId} fields={fields} context={context} checkedOutAt={flight.checkedOutAt} />
    </Card>
  );
}
