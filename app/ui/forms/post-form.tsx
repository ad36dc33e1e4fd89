import { useEffect, useRef, useState } from 'react';
import { Form, type FormProps, useLocation } from '@remix-run/react';
import { TYPED_FORM } from '#app/domain/typed-forms/field-names.ts';
import { hear } from '../news.ts';
import { HiddenField } from './hidden-field.tsx';
import { lastSentForm } from './kept/sent-form.ts';

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
  const { pathname } = useLocation();
  return (
    <Form key={useTimesSent(id)} {...rest} method="post" id={id} noValidate>
      <HiddenField name={TYPED_FORM} value={typedForm ?? `${pathname}#${id}`} />
      {children}
    </Form>
  );
}

/** Counts the posts of the form that were answered as sent, once the page that follows is there. */
function useTimesSent(id: string): number {
  const { key } = useLocation();
  const isSent = useRef(false);
  const [{ shown, times }, setShown] = useState({ shown: key, times: 0 });
  useEffect(
    () =>
      hear('formoutcome', (outcome) => void (isSent.current ||= outcome === 'sent' && lastSentForm()?.form.id === id)),
    [id],
  );
  useEffect(() => {
    isSent.current = false;
  }, [key]);
  // With the page and not after it, so that no press meets a form that goes.
  if (shown !== key) setShown({ shown: key, times: isSent.current ? times + 1 : times });
  return times;
}
