import type { ReactNode } from 'react';
import { Form } from '@remix-run/react';
import { Button } from './button.tsx';

/** Narrows a list by a GET, so that what is seen can be kept and sent as an address: fields, then 'Filter'. */
export function FilterForm({ children }: { children: ReactNode }) {
  return (
    <Form method="get" className="filter" preventScrollReset>
      {children}
      <Button>Filter</Button>
    </Form>
  );
}
