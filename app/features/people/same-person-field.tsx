import { Checkbox } from '#app/ui/forms/choices.tsx';
import { type FormField, initialText, HiddenField } from '#app/ui/forms/fields.tsx';

interface SamePersonFieldProps {
  fields: Record<'email' | 'samePerson' | 'askedAbout', FormField>;
}

/** Asks whether it is the same person, once the server has found that a former user had the address. */
export function SamePersonField({ fields }: SamePersonFieldProps) {
  const { email, samePerson, askedAbout } = fields;
  const isAsked = samePerson.errors !== undefined || initialText(askedAbout) !== undefined;
  if (!isAsked) return null;
  return (
    <>
      <HiddenField name={askedAbout.name} value={initialText(email) ?? ''} />
      <Checkbox
        field={samePerson}
        label="Yes, this is the same person as before"
        hint="Check this to give them back their past flights. Leave it unchecked for someone else."
      />
    </>
  );
}
