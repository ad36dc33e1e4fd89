import { Form, type FormProps, useLocation } from '@remix-run/react';
import { TYPED_FORM } from '#app/domain/typed-forms/field-names.ts';
import { HiddenField } from './hidden-field.tsx';

interface PostFormProps extends Omit<FormProps, 'method' | 'noValidate'> {
  id: string;
  /** What names the form of another page, which is sent with this one. */
  typedForm?: string | undefined;
}

/** A form whose fields are kept until it is sent; it says which one it is, so that sending it without script ends its draft, too. */
export function PostForm({ id, typedForm, children, ...rest }: PostFormProps) {
  const { pathname } = useLocation();
  return (
    <Form {...rest} method="post" id={id} noValidate>
      <HiddenField name={TYPED_FORM} value={typedForm ?? `${pathname}#${id}`} />
      {children}
    </Form>
  );
}
