import type { ReactNode } from 'react';
import { Form, useSubmit } from '@remix-run/react';
import { Button } from '../button.tsx';

/** Filters a list through the query string; JavaScript submits each choice at once, but no date half typed. */
export function FilterForm({ children, submitLabel = 'Filter' }: { children: ReactNode; submitLabel?: string }) {
  const submit = useSubmit();
  return (
    <Form
      method="get"
      className="filter-form"
      preventScrollReset
      onChange={({ target, currentTarget }) => {
        if (target instanceof HTMLSelectElement) submit(currentTarget, { preventScrollReset: true });
      }}
    >
      {children}
      <Button>{submitLabel}</Button>
    </Form>
  );
}
