import { type FormField, initialTexts } from '#app/ui/forms/fields.tsx';
import { useFormValues } from '#app/ui/hooks/use-form-values.ts';

const WATCHED = [
  'endHobbsTime',
  'startHobbsTime',
  'endTachTime',
  'startTachTime',
  'meterChanges.hobbs.changed',
  'meterChanges.hobbs.oldLast',
  'meterChanges.hobbs.newFirst',
  'meterChanges.tach.changed',
  'meterChanges.tach.oldLast',
  'meterChanges.tach.newFirst',
  'departedAt',
  'landedAt',
  'instructorId',
  'instructorTimeIn',
  'instructorTimeOut',
  'groundSchoolTime',
] as const;

export type WatchedFields = Record<(typeof WATCHED)[number], FormField>;

/** Returns what is typed of the fields on which others comment. */
export function useRecordedValues(formId: string, fields: WatchedFields): Record<string, string> {
  return useFormValues(formId, initialTexts(fields, WATCHED));
}
