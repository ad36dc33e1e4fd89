import { Card } from '#app/ui/card.tsx';
import { ConditionalFields } from '#app/ui/forms/conditional-fields.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { type SelectOption, SelectField } from '#app/ui/forms/select-field.tsx';
import { TextField } from '#app/ui/forms/text-field.tsx';
import type { CheckInFields } from './check-in-form.tsx';

interface InstructorFieldsProps {
  fields: CheckInFields;
  instructors: { value: SelectOption[] | null; failure: string | null };
  groundSchoolTimes: SelectOption[];
}

export function InstructorFields({ fields, instructors, groundSchoolTimes }: InstructorFieldsProps) {
  const instructorOptions = [{ value: '', label: 'No instructor' }, ...(instructors.value ?? [])];
  return (
    <Card title="Instructor Details">
      {instructors.failure && <Notice tone="danger">{instructors.failure}</Notice>}
      <ConditionalFields
        control={<SelectField field={fields.instructorId} label="Instructor (Optional)" options={instructorOptions} />}
      >
        <TextField field={fields.instructorTimeIn} label="Instructor Time In" type="time" />
        <TextField field={fields.instructorTimeOut} label="Time Out" type="time" />
      </ConditionalFields>
      <SelectField field={fields.groundSchoolTime} label="Ground School Time (Optional)" options={groundSchoolTimes} />
    </Card>
  );
}
