import { Card } from '#app/ui/card.tsx';
import { ConditionalFields } from '#app/ui/forms/conditional-fields.tsx';
import { PartFailure } from '#app/ui/page/part-failure.tsx';
import { type SelectOption, SelectField } from '#app/ui/forms/select-field.tsx';
import { TextField } from '#app/ui/forms/text-field.tsx';
import { blockHundredths, instructionNote } from '#app/domain/times/instruction.ts';
import { READING_FIELD_NAMES } from '#app/features/meters/end-readings/reading-field-names.ts';
import { hobbsHundredths } from '#app/features/meters/end-readings/typed-hours.ts';
import { ReadingNote } from '#app/features/meters/reading-note.tsx';
import { Checkbox } from '#app/ui/forms/checkbox.tsx';
import { initialTexts, withoutErrors } from '#app/ui/forms/form-field.ts';
import { useFormValues } from '#app/ui/hooks/use-form-values.ts';
import { useTypedSinceReply } from '#app/ui/hooks/use-typed-since-reply.ts';
import type { CheckInFields } from './check-in-form.tsx';
import type { CheckInFlight } from './final-reading-fields.tsx';

interface InstructorFieldsProps {
  formId: string;
  flight: CheckInFlight;
  fields: CheckInFields;
  instructors: { value: SelectOption[] | null; failure: string | null; reference?: string | undefined };
  groundSchoolTimes: SelectOption[];
}

export function InstructorFields(props: InstructorFieldsProps) {
  const { formId, flight, fields, instructors, groundSchoolTimes } = props;
  const values = useFormValues(formId, initialTexts(fields, FIELD_NAMES));
  const note = values.instructorId ? noteOf(values, flight) : undefined;
  const isTyped = useTypedSinceReply(fields.instructorTimeOut.id);
  const timeOut = isTyped && note ? withoutErrors(fields.instructorTimeOut) : fields.instructorTimeOut;
  const checked = isTyped && !note?.isOdd ? withoutErrors(fields.instructionChecked) : fields.instructionChecked;
  const instructorOptions = [{ value: '', label: 'No instructor' }, ...(instructors.value ?? [])];
  return (
    <Card title="Instructor Details">
      <PartFailure part={instructors} />
      <ConditionalFields
        control={<SelectField field={fields.instructorId} label="Instructor (Optional)" options={instructorOptions} />}
      >
        <TextField field={fields.instructorTimeIn} label="Instructor Time In" type="time" />
        <TextField field={timeOut} label="Time Out" type="time" noteIds={[NOTE_ID]} />
        <ReadingNote
          id={NOTE_ID}
          note={timeOut.errors ? undefined : note && { tone: note.isOdd ? 'caution' : 'neutral', text: note.text }}
        />
        {(note?.isOdd || checked.errors) && (
          <Checkbox field={checked} label="The instructor's times are right" required />
        )}
      </ConditionalFields>
      <SelectField field={fields.groundSchoolTime} label="Ground School Time (Optional)" options={groundSchoolTimes} />
    </Card>
  );
}

const NOTE_ID = 'check-in-instruction-note';

const FIELD_NAMES = [
  ...READING_FIELD_NAMES,
  ...(['departedAt', 'landedAt', 'instructorId', 'instructorTimeIn', 'instructorTimeOut', 'groundSchoolTime'] as const),
];

function noteOf(values: Record<string, string>, { startHobbsTime, startTachTime, checkedOutAt }: CheckInFlight) {
  const start = { hobbs: startHobbsTime, tachometer: startTachTime };
  const instant = (time: string) => new Date(`${time}Z`);
  const departed = instant(values.departedAt || checkedOutAt);
  const block = blockHundredths(departed, values.landedAt ? instant(values.landedAt) : null);
  return instructionNote({
    timeIn: values.instructorTimeIn,
    timeOut: values.instructorTimeOut,
    flightHundredths: Math.max(hobbsHundredths(values, start) ?? 0, block),
    groundSchoolTime: values.groundSchoolTime,
  });
}
