import type { ComponentProps, ReactNode } from 'react';
import { useRouteLoaderData } from '@remix-run/react';

export interface FormField {
  id: string;
  name: string;
  errorId: string;
  descriptionId: string;
  errors: string[] | undefined;
  initialValue: unknown;
}

export function plainField(name: string, initialValue: unknown, id = name): FormField {
  return { id, name, errorId: `${id}-error`, descriptionId: `${id}-description`, errors: undefined, initialValue };
}

export function initialText(field: FormField): string | undefined {
  return typeof field.initialValue === 'string' ? field.initialValue : undefined;
}

/** Removes the errors from a field whose refused value was replaced. */
export function fieldWithoutErrors(field: FormField): FormField {
  return { ...field, errors: undefined };
}

export function initialTexts<Name extends string>(
  fields: Record<Name, FormField>,
  names: readonly Name[],
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, initialText(fields[name]) ?? '']));
}

interface ControlOptions {
  hint?: ReactNode;
  required?: boolean | undefined;
  noteIds?: string[] | undefined;
}

/** Makes the control's attributes without `required`, so that the server's messages show in place of the browser's. */
export function controlProps(field: FormField, { hint, required, noteIds = [] }: ControlOptions) {
  const ownIds = [hint ? field.descriptionId : '', field.errors ? field.errorId : ''];
  return {
    id: field.id,
    name: field.name,
    'aria-required': required || undefined,
    'aria-invalid': field.errors ? true : undefined,
    'aria-describedby': [...ownIds, ...noteIds].filter(Boolean).join(' ') || undefined,
  };
}

interface FieldProps {
  field: FormField;
  label: ReactNode;
  hint?: ReactNode;
  children: ReactNode;
}

export function Field({ field, label, hint, children }: FieldProps) {
  return (
    <div className="field" data-invalid={field.errors ? '' : undefined}>
      <label htmlFor={field.id}>{label}</label>
      <FieldHint field={field} hint={hint} />
      <FieldError field={field} />
      {children}
    </div>
  );
}

export function FieldHint({ field, hint }: { field: FormField; hint?: ReactNode }) {
  return hint ? (
    <p className="hint" id={field.descriptionId}>
      {hint}
    </p>
  ) : null;
}

export function FieldError({ field }: { field: FormField }) {
  return field.errors ? (
    <p className="error" id={field.errorId}>
      {field.errors[0]}
    </p>
  ) : null;
}

type InputProps = Omit<ComponentProps<'input'>, 'id' | 'name' | 'className' | 'style' | 'defaultValue' | 'value'>;

interface TextFieldProps extends InputProps {
  field: FormField;
  label: ReactNode;
  hint?: ReactNode;
  noteIds?: string[];
}

export function TextField({ field, label, hint, noteIds, required, type = 'text', ...rest }: TextFieldProps) {
  return (
    <Field field={field} label={label} hint={hint}>
      <input
        {...rest}
        {...controlProps(field, { hint, required, noteIds })}
        ref={type === 'number' ? acceptDecimalComma : undefined}
        type={type}
        defaultValue={type === 'password' ? undefined : initialText(field)}
      />
    </Field>
  );
}

/** Asks for a time by the school's clock, which it names: a device may be in another zone. */
export function SchoolTimeField({ hint, ...rest }: TextFieldProps & { hint: string }) {
  const zone = useRouteLoaderData<{ viewer: { timeZone: string } | null }>('root')?.viewer?.timeZone;
  const named = zone ? `${hint} Time in ${zone.replaceAll('_', ' ')}.` : hint;
  return <TextField {...rest} type="datetime-local" hint={named} />;
}

/** Turns the comma of a number into a point where the browser would drop it. The function is a ref of the input. */
function acceptDecimalComma(input: HTMLInputElement | null): void {
  input?.addEventListener('beforeinput', typePoint);
}

function typePoint(event: InputEvent): void {
  if (!event.cancelable || !event.data?.includes(',')) return;
  event.preventDefault();
  // Inputs of numbers have no other way to insert at the caret.
  document.execCommand('insertText', false, event.data.replace(',', '.'));
}

interface TextAreaProps {
  field: FormField;
  label: ReactNode;
  required?: boolean;
  placeholder?: string;
  rows?: number;
}

export function TextArea({ field, label, required, placeholder, rows = 4 }: TextAreaProps) {
  return (
    <Field field={field} label={label}>
      <textarea
        {...controlProps(field, { required })}
        rows={rows}
        placeholder={placeholder}
        defaultValue={initialText(field)}
      />
    </Field>
  );
}

export interface SelectOption {
  value: string;
  label: string;
  disabled?: boolean;
}

export interface SelectOptionGroup {
  label: string;
  options: SelectOption[];
}

interface SelectFieldProps {
  field: FormField;
  label: ReactNode;
  options: (SelectOption | SelectOptionGroup)[];
  hint?: ReactNode;
  required?: boolean;
}

export function SelectField({ field, label, options, hint, required }: SelectFieldProps) {
  return (
    <Field field={field} label={label} hint={hint}>
      <select {...controlProps(field, { hint, required })} defaultValue={initialText(field)}>
        {options.map((entry) =>
          'options' in entry ? (
            <optgroup key={entry.label} label={entry.label}>
              {entry.options.map(toOption)}
            </optgroup>
          ) : (
            toOption(entry)
          ),
        )}
      </select>
    </Field>
  );
}

function toOption({ value, label, disabled }: SelectOption) {
  return (
    <option key={value} value={value} disabled={disabled}>
      {label}
    </option>
  );
}

export function HiddenField({ name, value }: { name: string; value: string | number | undefined }) {
  return <input type="hidden" name={name} value={value} />;
}

/** Name of the flight for the device while it cannot send the form; the server reads the aircraft's id. */
export function HiddenTailNumberField({ value }: { value: string }) {
  return <HiddenField name="tailNumber" value={value} />;
}
