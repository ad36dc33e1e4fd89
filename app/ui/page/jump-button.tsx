import type { FormEvent } from 'react';
import { Form } from '@remix-run/react';
import { paths } from '#app/paths.ts';

/** Opens the jump box; without script it leads to the page that searches. */
export function JumpButton({ onClick }: { onClick: () => void }) {
  const open = (event: FormEvent) => {
    event.preventDefault();
    onClick();
  };
  return (
    <Form action={paths.search} onSubmit={open}>
      <button type="submit" className="button jump-button" aria-label="Jump">
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
          <circle cx="10" cy="10" r="6" />
          <path d="M14.5 14.5 21 21" />
        </svg>
      </button>
    </Form>
  );
}
