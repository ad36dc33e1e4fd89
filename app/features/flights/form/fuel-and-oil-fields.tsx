import { Card } from '#app/ui/card.tsx';
import { Switch } from '#app/ui/forms/checkbox.tsx';
import { ConditionalFields } from '#app/ui/forms/conditional-fields.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { PhotoField } from '#app/ui/forms/photo-field.tsx';
import { TextArea } from '#app/ui/forms/text-area.tsx';
import { TextField } from '#app/ui/forms/text-field.tsx';

export type FuelField = 'refueled' | 'fuelNotes' | 'oilAdded' | 'oilQuantity';

interface FuelAndOilFieldsProps {
  fields: Record<FuelField, FormField>;
  receipt: FormField | undefined;
}

export function FuelAndOilFields({ fields, receipt }: FuelAndOilFieldsProps) {
  return (
    <Card title="Fuel & Oil Check">
      <ConditionalFields control={<Switch field={fields.refueled} label="Refueled" />}>
        {receipt && <PhotoField field={receipt} label="Fuel receipt photo (optional)" />}
        <TextArea field={fields.fuelNotes} label="Fuel notes (optional)" rows={2} />
      </ConditionalFields>
      <ConditionalFields control={<Switch field={fields.oilAdded} label="Oil Added" />}>
        <TextField
          field={fields.oilQuantity}
          label="Oil Quantity (Quarts)"
          hint="e.g. 1.5"
          type="number"
          inputMode="decimal"
          step={0.1}
          min={0}
        />
      </ConditionalFields>
    </Card>
  );
}
