import { Card } from '#app/ui/elements.tsx';
import { Switch, ConditionalFields } from '#app/ui/forms/choices.tsx';
import { type FormField, TextArea, TextField } from '#app/ui/forms/fields.tsx';
import { PhotoField } from '#app/ui/forms/file-field.tsx';

export type FuelAndOilFieldName = 'refueled' | 'fuelNotes' | 'oilAdded' | 'oilQuantity';

interface FuelAndOilFieldsProps {
  fields: Record<FuelAndOilFieldName, FormField>;
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
