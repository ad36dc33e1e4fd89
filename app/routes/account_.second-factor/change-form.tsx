import type { OwnProofInput } from '#app/domain/people/schema.server.ts';
import { CodeField } from '#app/features/people/code-field.tsx';
import { UsernameForPasswordManagers } from '#app/features/people/username-for-password-managers.tsx';
import { Card } from '#app/ui/card.tsx';
import { DateTime, type DateTimeText } from '#app/ui/date-time.tsx';
import type { FormField } from '#app/ui/forms/form-field.ts';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { CurrentPasswordField } from '#app/features/people/current-password-field.tsx';
import type { FormState } from '#app/ui/hooks/use-form.ts';
import { Actions } from '#app/ui/layout.tsx';
import { PostForm } from '#app/ui/forms/post-form.tsx';

interface ChangeFormProps {
  form: FormState;
  fields: Record<keyof OwnProofInput, FormField>;
  username: string;
  factor: { since: DateTimeText; unusedRecoveryCodes: number };
}

export function ChangeForm({ form, fields, username, factor: { since, unusedRecoveryCodes } }: ChangeFormProps) {
  return (
    <Card title="It Is On">
      <p>
        Since <DateTime value={since} />, with {unusedRecoveryCodes} unused recovery{' '}
        {unusedRecoveryCodes === 1 ? 'code' : 'codes'}.
      </p>
      <PostForm id={form.id}>
        <UsernameForPasswordManagers username={username} />
        <CurrentPasswordField field={fields.currentPassword} />
        <CodeField field={fields.code} />
        <Actions>
          <SubmitButton name="intent" value="new-codes" variant="secondary">
            New Recovery Codes
          </SubmitButton>
          <SubmitButton name="intent" value="remove" variant="secondary">
            Remove Second Factor
          </SubmitButton>
        </Actions>
      </PostForm>
    </Card>
  );
}
