import { useEffect, useRef, type ReactNode } from 'react';
import { Form, useSearchParams, useSubmit } from '@remix-run/react';
import { Button } from '../button.tsx';

/** Filters a list through the query string; JavaScript submits each choice at once, but no date half typed. */
export function FilterForm({ children }: { children: ReactNode }) {
  const formRef = useRef<HTMLFormElement>(null);
  const [searchParams] = useSearchParams();
  const submit = useSubmit();

  // Keeps the fields in step with the URL, which the back button changes without the form.
  useEffect(() => {
    for (const field of formRef.current?.querySelectorAll<HTMLInputElement | HTMLSelectElement>('select, input') ?? [])
      field.value = searchParams.get(field.name) ?? '';
  }, [searchParams]);

  return (
    <Form
      ref={formRef}
      method="get"
      className="filter-form"
      preventScrollReset
      onChange={({ target, currentTarget }) => {
        if (target instanceof HTMLSelectElement) submit(currentTarget, { preventScrollReset: true });
      }}
    >
      {children}
      <Button>Filter</Button>
    </Form>
  );
}
