import { Card } from '#app/ui/elements.tsx';
import { ConditionalFields, Checkbox } from '#app/ui/forms/choices.tsx';
import { PartFailure } from '#app/ui/page/part-failure.tsx';
import {
  type SelectOption,
  SelectField,
  type SelectOptionGroup,
  TextField,
  type FormField,
  fieldWithoutErrors,
} from '#app/ui/forms/fields.tsx';
import type { MeterReadings } from '#app/domain/readings/meters.ts';
import { blockHundredths, instructionNote } from '#app/domain/times/instruction.ts';
import { useRecordedValues, type WatchedFields } from '#app/features/meters/end-readings/use-recorded-values.ts';
import { typedHoursInHundredths } from '#app/features/meters/end-readings/typed-hours.ts';
import { ReadingNote } from '#app/features/meters/reading-note.tsx';
import { useTypedSinceReply } from '#app/ui/hooks/use-typed-since-reply.ts';
import type { KnownFlightTimes } from './flight-time-fields.tsx';

export interface InstructorFieldOptions {
  instructors: {
    value: (SelectOption | SelectOptionGroup)[] | null;
    failure: string | null;
    reference?: string | undefined;
  };
  groundSchoolTimes: SelectOption[];
}

interface InstructorFieldsProps {
  formId: string;
  fields: WatchedFields & Record<'instructionChecked', FormField>;
  instruction: InstructorFieldOptions;
  /** Where the form has no other start, and no other times. */
  start: MeterReadings | undefined;
  times: KnownFlightTimes;
}

export function InstructorFields({ formId, fields, instruction, start, times }: InstructorFieldsProps) {
  const { instructors, groundSchoolTimes } = instruction;
  const values = useRecordedValues(formId, fields);
  const note = values.instructorId ? noteOf(values, start, times) : undefined;
  const isTyped = useTypedSinceReply(fields.instructorTimeOut.id);
  const timeOut = isTyped && note ? fieldWithoutErrors(fields.instructorTimeOut) : fields.instructorTimeOut;
  const checked = isTyped && !note?.isOdd ? fieldWithoutErrors(fields.instructionChecked) : fields.instructionChecked;
  const instructorOptions = [{ value: '', label: 'No instructor' }, ...(instructors.value ?? [])];
  const noteId = `${formId}-instruction-note`;
  return (
    <Card title="Instructor Details">
      <PartFailure part={instructors} />
      <ConditionalFields
        control={<SelectField field={fields.instructorId} label="Instructor (Optional)" options={instructorOptions} />}
      >
        <TextField field={fields.instructorTimeIn} label="Instructor Time In" type="time" />
        <TextField field={timeOut} label="Time Out" type="time" noteIds={[noteId]} />
        <ReadingNote
          id={noteId}
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

function noteOf(values: Record<string, string>, start: MeterReadings | undefined, times: KnownFlightTimes) {
  const instant = (time: string | undefined) => (time ? new Date(`${time}Z`) : null);
  const departed = instant(values.departedAt || times.checkedOutAt);
  const landed = instant(values.landedAt || times.checkedInAt);
  const block = departed ? blockHundredths(departed, landed) : 0;
  return instructionNote({
    timeIn: values.instructorTimeIn,
    timeOut: values.instructorTimeOut,
    flightHundredths: Math.max(typedHoursInHundredths(values, 'hobbs', start?.hobbs) ?? 0, block),
    groundSchoolTime: values.groundSchoolTime,
  });
}
