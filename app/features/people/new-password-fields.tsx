import { useState } from 'react';
import { passwordHint, texts } from '#app/domain/texts.ts';
import { Field, controlProps, type FormField, TextField } from '#app/ui/forms/fields.tsx';

interface NewPasswordFieldsProps {
  label?: string;
  password: FormField;
  confirmPassword: FormField;
}

/** Asks for a new password twice; a mismatch shows as soon as the second differs. */
export function NewPasswordFields({ label = 'Password', password, confirmPassword }: NewPasswordFieldsProps) {
  const [passwordValue, setPasswordValue] = useState('');
  const [confirmValue, setConfirmValue] = useState('');
  const isServerError = confirmPassword.errors?.includes(texts.passwordsDiffer);
  const isMismatch = passwordValue !== '' && !passwordValue.startsWith(confirmValue) && !isServerError;
  return (
    <>
      <TextField
        field={password}
        label={label}
        hint={passwordHint}
        type="password"
        autoComplete="new-password"
        onInput={(event) => setPasswordValue(event.currentTarget.value)}
        required
      />
      <Field field={confirmPassword} label="Confirm Password">
        <input
          {...controlProps(confirmPassword, { required: true })}
          type="password"
          autoComplete="new-password"
          onInput={(event) => setConfirmValue(event.currentTarget.value)}
        />
        <div role="status">{isMismatch && <p className="error">{texts.passwordsDiffer}</p>}</div>
      </Field>
    </>
  );
}
