import { paths } from '#app/paths.ts';
import { ActForm, SubmitButton } from '../forms/form.tsx';

export function LogoutForm() {
  return (
    <ActForm action={paths.logout}>
      <SubmitButton variant="secondary" pendingLabel="Logging out...">
        Logout
      </SubmitButton>
    </ActForm>
  );
}
