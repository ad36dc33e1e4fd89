import { type ReactNode, useEffect, useRef, useState } from 'react';
import { MAX_READING_CHARACTERS } from '#app/limits.ts';
import { Field, controlProps, initialText, type FormField, fieldWithoutErrors } from '#app/ui/forms/fields.tsx';
import { useTypedSinceReply } from '#app/ui/hooks/use-typed-since-reply.ts';
import { ReadingNote, type ReadingNoteContent } from './reading-note.tsx';

interface ReadingFieldProps {
  field: FormField;
  label: string;
  /** Returns a comment on the value while it is typed. */
  getNote?: (value: string) => ReadingNoteContent | undefined;
  hasInitialFocus?: boolean;
  noteIds?: string[];
  isOptional?: boolean;
  action?: ReactNode;
  children?: ReactNode;
}

export function ReadingField(props: ReadingFieldProps) {
  const { label, getNote, hasInitialFocus, noteIds = [], isOptional = false, action, children } = props;
  const inputRef = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState(initialText(props.field) ?? '');
  // A browser that comes back to the page fills the input without an event.
  useEffect(() => setValue(inputRef.current?.value ?? ''), []);
  const note = getNote?.(value);
  const isTyped = useTypedSinceReply(props.field.id);
  // The errors speak of the value that was refused; the note speaks of the typed one.
  const field = isTyped && note ? fieldWithoutErrors(props.field) : props.field;
  const noteId = `${field.id}-note`;
  return (
    <Field field={field} label={label}>
      <div className="reading-window">
        <input
          {...controlProps(field, { required: !isOptional, noteIds: getNote && [noteId, ...noteIds] })}
          ref={inputRef}
          className="reading-input"
          type="text"
          inputMode="decimal"
          autoComplete="off"
          maxLength={MAX_READING_CHARACTERS}
          defaultValue={initialText(field)}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- only where the page returns with this field just filled
          autoFocus={hasInitialFocus}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <TenthsDrum value={value} />
        {action}
      </div>
      {getNote && (
        <div className="field-extras">
          {children}
          <ReadingNote id={noteId} note={field.errors ? undefined : note} />
        </div>
      )}
    </Field>
  );
}

/** Turns the tenths white where they stand in the input, which keeps its own text. */
function TenthsDrum({ value }: { value: string }) {
  const [, whole, tenths] = /^(\d+[.,])(\d+)$/.exec(value) ?? [];
  return tenths ? <span className="tenths-drum" data-whole={whole} data-tenths={tenths} aria-hidden="true" /> : null;
}
