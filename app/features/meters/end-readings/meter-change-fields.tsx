import { Checkbox, ConditionalFields } from '#app/ui/forms/choices.tsx';
import { type FormField, SelectField, TextField } from '#app/ui/forms/fields.tsx';
import { ReadingField } from '../reading-field.tsx';

export type MeterChangeFieldName =
  `meterChanges.${'hobbs' | 'tach'}.${'changed' | 'oldLast' | 'newFirst' | 'reason' | 'remark'}`;

export const CHANGE_REASON_OPTIONS = [
  { value: 'replaced', label: 'It was replaced' },
  { value: 'rolled over', label: 'It has rolled over' },
];

interface MeterChangeFieldsProps {
  fields: Record<MeterChangeFieldName, FormField>;
  meter: 'hobbs' | 'tach';
  words: string;
}

/** Asks for what tells the hours of a flight apart from the readings of two meters. */
export function MeterChangeFields({ fields, meter, words }: MeterChangeFieldsProps) {
  const field = (name: 'changed' | 'oldLast' | 'newFirst' | 'reason' | 'remark') =>
    fields[`meterChanges.${meter}.${name}`];
  return (
    <fieldset>
      <legend>{words} meter</legend>
      <ConditionalFields
        control={<Checkbox field={field('changed')} label="The meter was replaced or has rolled over" />}
      >
        <SelectField field={field('reason')} label="What happened" options={CHANGE_REASON_OPTIONS} />
        <RollOverHint />
        <ReadingField field={field('oldLast')} label="Old meter's last reading" isOptional />
        <ReadingField field={field('newFirst')} label="New meter's first reading" isOptional />
        <TextField field={field('remark')} label="Remark (optional)" />
      </ConditionalFields>
    </fieldset>
  );
}

/** Explains that a roll-over turns the meter by one more step than its readings say. */
export function RollOverHint() {
  return (
    <p className="hint">
      A meter that went from 9999.9 to 0.0 has counted a tenth more: enter 10000.0 as the old meter&apos;s last reading.
    </p>
  );
}
