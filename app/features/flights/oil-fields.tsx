import { Switch } from '#app/ui/forms/checkbox.tsx';
import { ConditionalFields } from '#app/ui/forms/conditional-fields.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { TextField } from '#app/ui/forms/text-field.tsx';

export function OilFields({ fields }: { fields: Record<'oilAdded' | 'oilQuantity', FormField> }) {
  return (
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
  );
}
