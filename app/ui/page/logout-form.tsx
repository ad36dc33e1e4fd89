import { Form } from '@remix-run/react';
import { paths } from '#app/paths.ts';
import { SubmitButton } from '../forms/form.tsx';

export function LogoutForm() {
  return (
    <Form method="post" action={paths.logout}>
      <SubmitButton variant="secondary" pendingLabel="Logging out...">
        Logout
      </SubmitButton>
    </Form>
  );
}
