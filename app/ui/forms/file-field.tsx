import { type ComponentProps, useState } from 'react';
import { texts } from '#app/domain/texts.ts';
import { notKeptFieldName } from '#app/domain/typed-forms/field-names.ts';
import { Field, controlProps, type FormField, initialText, HiddenField } from './fields.tsx';

interface FileFieldProps extends Pick<ComponentProps<'input'>, 'accept' | 'capture' | 'multiple' | 'required'> {
  field: FormField;
  label: string;
  hint?: string;
}

/** A file input, whose initial value names the files that were sent once: without script no page can put them back. */
export function FileField({ field, label, hint, required, ...rest }: FileFieldProps) {
  const [isChosen, setIsChosen] = useState(false);
  // A new function after each rendering, so that React calls it again.
  const look = (input: HTMLInputElement | null) => input && setIsChosen(input.files?.length !== 0);
  const lost = !isChosen && initialText(field);
  const noteId = `${field.id}-lost`;
  return (
    <Field field={field} label={label} hint={hint}>
      {lost && (
        <p className="inline-note" id={noteId} data-tone="caution">
          {`${texts.chooseAgain} ${lost}`}
        </p>
      )}
      {/* A form that is refused once more says it again. */}
      {lost && <HiddenField name={notKeptFieldName(field.name)} value={lost} />}
      <input
        {...controlProps(field, { hint, required, noteIds: lost ? [noteId] : [] })}
        ref={(input) => void look(input)}
        type="file"
        {...rest}
        onChange={(event) => look(event.currentTarget)}
        onInput={(event) => look(event.currentTarget)}
      />
    </Field>
  );
}

interface PhotoFieldProps extends Omit<ComponentProps<typeof FileField>, 'accept' | 'capture' | 'multiple'> {
  isMultiple?: boolean;
}

export function PhotoField({ isMultiple, ...rest }: PhotoFieldProps) {
  return (
    <FileField {...rest} accept="image/*" capture={isMultiple ? undefined : 'environment'} multiple={isMultiple} />
  );
}
