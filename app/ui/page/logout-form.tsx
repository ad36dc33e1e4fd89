import { paths } from '#app/paths.ts';
import { ElsewhereForm } from '../forms/elsewhere-form.tsx';
import { SubmitButton } from '../forms/submit-button.tsx';

export function LogoutForm() {
  return (
    <ElsewhereForm action={paths.logout}>
      <SubmitButton variant="secondary" pendingLabel="Logging out...">
        Logout
      </SubmitButton>
    </ElsewhereForm>
  );
}
