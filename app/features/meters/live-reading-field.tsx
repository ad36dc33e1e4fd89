import { useState, type ReactNode } from 'react';
import { initialText, type FormField } from '#app/ui/forms/form-field.ts';
import { ReadingField } from './reading-field.tsx';
import { type Note, ReadingNote } from './reading-note.tsx';

interface LiveReadingFieldProps {
  field: FormField;
  label: ReactNode;
  /** The remark on what stands in the field; the server makes it too, and has the last word. */
  noteOf: (typed: string) => Note | undefined;
  /** Has the focus when the page comes: it has just been filled. */
  focused?: boolean;
  /** Ids of further remarks on it, elsewhere on the page. */
  remarks?: string[];
  /** After the input: photo, thumbnail, 'Use last reading'. */
  children?: ReactNode;
}

/** A required meter reading with a remark below that follows what is typed. */
export function LiveReadingField({ field, label, noteOf, focused, remarks = [], children }: LiveReadingFieldProps) {
  const [typed, setTyped] = useState(initialText(field) ?? '');
  const remark = noteOf(typed);
  const note = remark?.text === field.errors?.[0] ? undefined : remark;
  const noteId = `${field.id}-note`;
  return (
    <ReadingField
      field={field}
      label={label}
      required
      focused={focused}
      remarks={[noteId, ...remarks]}
      onInput={(event) => setTyped(event.currentTarget.value)}
    >
      {children}
      <ReadingNote id={noteId} note={note} />
    </ReadingField>
  );
}
