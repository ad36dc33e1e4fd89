import { useState } from 'react';
import { passwordHint, texts } from '#app/domain/texts.ts';
import { Field } from '#app/ui/forms/field.tsx';
import { controlProps, type FormField } from '#app/ui/forms/form-field.ts';
import { TextField } from '#app/ui/forms/text-field.tsx';

interface NewPasswordProps {
  password: FormField;
  confirmPassword: FormField;
}

/** A password, typed twice. With script the second says it differs as soon as it must; the server has the last word. */
export function NewPasswordFields({ password, confirmPassword }: NewPasswordProps) {
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const saidByServer = confirmPassword.errors?.includes(texts.passwordsDiffer);
  const differs = first !== '' && !first.startsWith(second) && !saidByServer;
  return (
    <>
      <TextField
        field={password}
        label="Password"
        hint={passwordHint}
        type="password"
        autoComplete="new-password"
        onInput={(event) => setFirst(event.currentTarget.value)}
        required
      />
      <Field field={confirmPassword} label="Confirm Password">
        <input
          {...controlProps(confirmPassword, { required: true })}
          type="password"
          autoComplete="new-password"
          onInput={(event) => setSecond(event.currentTarget.value)}
        />
        <div role="status">{differs && <p className="error">{texts.passwordsDiffer}</p>}</div>
      </Field>
    </>
  );
}
