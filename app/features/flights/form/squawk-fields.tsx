import { MAX_SQUAWK_PHOTOS } from '#app/limits.ts';
import { Card } from '#app/ui/elements.tsx';
import { Checkbox } from '#app/ui/forms/choices.tsx';
import { type FormField, TextArea } from '#app/ui/forms/fields.tsx';
import { PhotoField } from '#app/ui/forms/file-field.tsx';

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
