import { useState, type ReactNode } from 'react';
import { textOf, type FormField } from './form-field.ts';
import { ReadingField } from './reading-field.tsx';

/** A remark on a reading: 'caution' asks to look at the meter again. */
export interface ReadingNote {
  tone: 'plain' | 'caution';
  text: string;
}

interface LiveReadingFieldProps {
  field: FormField;
  label: ReactNode;
  /** The remark on what stands in the field; the server makes it too, and has the last word. */
  noteOf: (typed: string) => ReadingNote | undefined;
  /** Has the focus when the page comes: it has just been filled. */
  focused?: boolean;
  /** After the input: photo, thumbnail, 'Use last reading'. */
  children?: ReactNode;
}

/** A required meter reading with a remark below that follows what is typed. */
export function LiveReadingField({ field, label, noteOf, focused, children }: LiveReadingFieldProps) {
  const [typed, setTyped] = useState(textOf(field) ?? '');
  const remark = noteOf(typed);
  const note = remark?.text === field.errors?.[0] ? undefined : remark;
  return (
    <ReadingField
      field={field}
      label={label}
      required
      focused={focused}
      onInput={(event) => setTyped(event.currentTarget.value)}
    >
      {children}
      <p className="reading-note" role="status" data-tone={note?.tone}>
        {note?.text}
      </p>
    </ReadingField>
  );
}
