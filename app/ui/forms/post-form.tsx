import { useState } from 'react';
import { Form, type FormProps, useLocation } from '@remix-run/react';
import { TYPED_FORM } from '#app/domain/typed-forms/field-names.ts';
import { HiddenField } from './hidden-field.tsx';
import { timesSent } from './kept/sent-form.ts';

interface PostFormProps extends Omit<FormProps, 'method' | 'noValidate'> {
  id: string;
  /** Name of a form on another page, which is sent with this one. */
  typedForm?: string | undefined;
}

/**
 * Keeps the fields until they are sent, and begins anew then, where its page stays. The form names itself, so that sending
 * it without script ends its draft.
 */
export function PostForm({ id, typedForm, children, ...rest }: PostFormProps) {
  const { pathname, key } = useLocation();
  const [{ shown, times }, setShown] = useState({ shown: key, times: timesSent(id) });
  // With the page that follows and not before it, so that no press meets a form that goes.
  if (shown !== key) setShown({ shown: key, times: timesSent(id) });
  return (
    <Form key={times} {...rest} method="post" id={id} noValidate>
      <HiddenField name={TYPED_FORM} value={typedForm ?? `${pathname}#${id}`} />
      {children}
    </Form>
  );
}
