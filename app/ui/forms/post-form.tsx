import { Form, type FormProps, useLocation } from '@remix-run/react';
import { TYPED_FORM } from '#app/domain/typed-forms/field-names.ts';
import { HiddenField } from './hidden-field.tsx';

interface PostFormProps extends Omit<FormProps, 'method' | 'noValidate'> {
  id: string;
  /** Name of a form on another page, which is sent with this one. */
  typedForm?: string | undefined;
}

/** Keeps the fields until they are sent. The form names itself, so that sending it without script ends its draft. */
export function PostForm({ id, typedForm, children, ...rest }: PostFormProps) {
  const { pathname } = useLocation();
  return (
    <Form {...rest} method="post" id={id} noValidate>
      <HiddenField name={TYPED_FORM} value={typedForm ?? `${pathname}#${id}`} />
      {children}
    </Form>
  );
}
