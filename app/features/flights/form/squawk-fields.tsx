import { MAX_SQUAWK_PHOTOS } from '#app/limits.ts';
import { Card } from '#app/ui/card.tsx';
import { Checkbox } from '#app/ui/forms/checkbox.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { PhotoField } from '#app/ui/forms/photo-field.tsx';
import { TextArea } from '#app/ui/forms/text-area.tsx';

interface SquawkFieldsProps {
  notes: FormField;
  report: Record<'unsafe' | 'squawkPhotos', FormField> | undefined;
}

/** Without a report the notes are the flight's alone, and open no squawk. */
export function SquawkFields({ notes, report }: SquawkFieldsProps) {
  return (
    <Card title="Squawks">
      <TextArea field={notes} label="Notes" placeholder="Any additional notes..." rows={2} />
      {report && (
        <>
          <Checkbox field={report.unsafe} label="Unsafe to fly" hint="Administrators get a mail at once." />
          <PhotoField
            field={report.squawkPhotos}
            label="Photos of the squawk (optional)"
            hint={`At most ${MAX_SQUAWK_PHOTOS}`}
            isMultiple
          />
        </>
      )}
    </Card>
  );
}
