import { MAX_SQUAWK_PHOTOS } from '#app/limits.ts';
import { Card } from '#app/ui/card.tsx';
import { Checkbox } from '#app/ui/forms/checkbox.tsx';
import { PhotoField } from '#app/ui/forms/photo-field.tsx';
import { TextArea } from '#app/ui/forms/text-area.tsx';
import type { CheckInFields } from './check-in-form.tsx';

export function SquawkFields({ fields }: { fields: CheckInFields }) {
  return (
    <Card title="Squawks">
      <TextArea field={fields.notes} label="Notes" placeholder="Any additional notes..." />
      <Checkbox field={fields.unsafe} label="Unsafe to fly" hint="Administrators get a mail at once." />
      <PhotoField
        field={fields.squawkPhotos}
        label="Photos of the squawk (optional)"
        hint={`At most ${MAX_SQUAWK_PHOTOS}`}
        isMultiple
      />
    </Card>
  );
}
