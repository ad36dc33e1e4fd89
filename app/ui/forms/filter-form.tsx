import { useEffect, useRef, type ReactNode } from 'react';
import { Form, useSearchParams, useSubmit } from '@remix-run/react';
import { Button } from '../button.tsx';

/**
 * Narrows a list by a GET, so that what is seen can be kept and sent as an address: selects, then 'Filter'.
 * With script a choice is sent at once.
 */
export function FilterForm({ children }: { children: ReactNode }) {
  const form = useRef<HTMLFormElement>(null);
  const [query] = useSearchParams();
  const submit = useSubmit();

  // Back and other links change the address without the form; its selects follow.
  useEffect(() => {
    for (const select of form.current?.querySelectorAll('select') ?? []) select.value = query.get(select.name) ?? '';
  }, [query]);

  return (
    <Form
      ref={form}
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
