import type { PastFlightField } from '#app/domain/flights/past/past-flight-schema.server.ts';
import { OilFields } from '#app/features/flights/oil-fields.tsx';
import { ReadingField } from '#app/features/meters/reading-field.tsx';
import { Card } from '#app/ui/card.tsx';
import { Checkbox, Switch } from '#app/ui/forms/checkbox.tsx';
import { ConditionalFields } from '#app/ui/forms/conditional-fields.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { SelectField, type SelectOption, type SelectOptionGroup } from '#app/ui/forms/select-field.tsx';
import { TextArea } from '#app/ui/forms/text-area.tsx';
import { TextField } from '#app/ui/forms/text-field.tsx';

type Options = (SelectOption | SelectOptionGroup)[];

interface CardProps {
  fields: Record<PastFlightField, FormField>;
}

interface FlownCardProps extends CardProps {
  options: { aircraft: Options; pilots: Options };
  timeZone: string;
  /** Time in the school's zone, as inputs have it. */
  latest: string;
}

export function FlownCard({ fields, options, timeZone, latest }: FlownCardProps) {
  return (
    <Card title="Flight">
      <SelectField field={fields.aircraftId} label="Aircraft" options={options.aircraft} required />
      <SelectField field={fields.pilotId} label="Pilot" options={options.pilots} required />
      <TextField
        field={fields.departedAt}
        label="The flight departed at"
        type="datetime-local"
        max={latest}
        hint={`The time at the school (${timeZone}), which counts as the check-out.`}
        required
      />
      <TextField
        field={fields.landedAt}
        label="The flight ended at"
        type="datetime-local"
        max={latest}
        hint="Counts as the check-in."
        required
      />
    </Card>
  );
}

export function ReadingsCard({ fields }: CardProps) {
  return (
    <Card title="Meter Readings">
      <ReadingField field={fields.startHobbsTime} label="Start Hobbs" />
      <ReadingField field={fields.endHobbsTime} label="End Hobbs" />
      <ReadingField field={fields.startTachTime} label="Start Tach" />
      <ReadingField field={fields.endTachTime} label="End Tach" />
      {fields.readAgain.errors && <Checkbox field={fields.readAgain} label="I have read the meter again" required />}
    </Card>
  );
}

export function FuelCard({ fields }: CardProps) {
  return (
    <Card title="Fuel & Oil">
      <ConditionalFields control={<Switch field={fields.refueled} label="Refueled" />}>
        <TextArea field={fields.fuelNotes} label="Fuel notes (optional)" rows={2} />
      </ConditionalFields>
      <OilFields fields={fields} />
    </Card>
  );
}

interface InstructionCardProps extends CardProps {
  options: { instructors: Options; groundSchoolTimes: SelectOption[] };
}

export function InstructionCard({ fields, options }: InstructionCardProps) {
  return (
    <Card title="Instructor Details">
      <ConditionalFields
        control={
          <SelectField field={fields.instructorId} label="Instructor (optional)" options={options.instructors} />
        }
      >
        <TextField field={fields.instructorTimeIn} label="Instructor Time In" type="time" />
        <TextField field={fields.instructorTimeOut} label="Time Out" type="time" />
        {fields.instructionChecked.errors && (
          <Checkbox field={fields.instructionChecked} label="The instructor's times are right" required />
        )}
      </ConditionalFields>
      <SelectField
        field={fields.groundSchoolTime}
        label="Ground School Time (optional)"
        options={options.groundSchoolTimes}
      />
    </Card>
  );
}

export function WhyCard({ fields }: CardProps) {
  return (
    <Card title="Notes">
      <TextArea field={fields.notes} label="Notes (optional)" />
      <TextArea field={fields.reason} label="Reason" rows={2} required />
    </Card>
  );
}
