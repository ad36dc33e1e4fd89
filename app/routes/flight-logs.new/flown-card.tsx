import { Card } from '#app/ui/card.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { SelectField, type SelectOption, type SelectOptionGroup } from '#app/ui/forms/select-field.tsx';
import { TextField } from '#app/ui/forms/text-field.tsx';

type Options = (SelectOption | SelectOptionGroup)[];

interface FlownCardProps {
  fields: Record<'aircraftId' | 'pilotId' | 'departedAt' | 'landedAt', FormField>;
  options: { aircraft: Options; pilots: Options };
  timeZone: string;
  /** In school time, as inputs have it. */
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
