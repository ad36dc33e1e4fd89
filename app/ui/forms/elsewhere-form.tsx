import { useEffect } from 'react';
import { type FormProps, useFetcher } from '@remix-run/react';
import { showToast, type Toast } from '../page/toast-region.tsx';
import { SubmissionState } from './submit-button.tsx';

/** Posts to the address of another page. With script this page stays, and says what went wrong, until that one takes over. */
export function ElsewhereForm({ children, ...rest }: Omit<FormProps, 'method'> & { action: string }) {
  const { Form, state, data } = useFetcher<{ toast?: Toast | null }>();
  useEffect(() => {
    if (data?.toast) showToast(data.toast);
  }, [data]);
  return (
    <Form {...rest} method="post" data-stays="">
      <SubmissionState.Provider value={state}>{children}</SubmissionState.Provider>
    </Form>
  );
}
