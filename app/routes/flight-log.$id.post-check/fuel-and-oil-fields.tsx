import { OilFields } from '#app/features/flights/oil-fields.tsx';
import { Card } from '#app/ui/card.tsx';
import { Switch } from '#app/ui/forms/checkbox.tsx';
import { ConditionalFields } from '#app/ui/forms/conditional-fields.tsx';
import { PhotoField } from '#app/ui/forms/photo-field.tsx';
import { TextArea } from '#app/ui/forms/text-area.tsx';
import type { CheckInFields } from './check-in-form.tsx';

export function FuelAndOilFields({ fields }: { fields: CheckInFields }) {
  return (
    <Card title="Fuel & Oil Check">
      <ConditionalFields control={<Switch field={fields.refueled} label="Refueled" />}>
        <PhotoField field={fields.fuelReceiptImage} label="Fuel receipt photo (optional)" />
        <TextArea field={fields.fuelNotes} label="Fuel notes (optional)" rows={2} />
      </ConditionalFields>
      <OilFields fields={fields} />
    </Card>
  );
}
