import { useEffect, useRef, type ReactNode } from 'react';
import { Form, useSearchParams, useSubmit } from '@remix-run/react';
import { Button } from '../button.tsx';

/** Filters a list through the query string; JavaScript submits each change at once. */
export function FilterForm({ children }: { children: ReactNode }) {
  const formRef = useRef<HTMLFormElement>(null);
  const [searchParams] = useSearchParams();
  const submit = useSubmit();

  // Keeps the selects in step with the URL, which the back button changes without the form.
  useEffect(() => {
    for (const select of formRef.current?.querySelectorAll('select') ?? [])
      select.value = searchParams.get(select.name) ?? '';
  }, [searchParams]);

  return (
    <Form
      ref={formRef}
      method="get"
      className="filter-form"
      preventScrollReset
      onChange={(event) => submit(event.currentTarget, { preventScrollReset: true })}
    >
      {children}
      <Button>Filter</Button>
    </Form>
  );
}
