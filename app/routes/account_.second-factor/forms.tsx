import type { OwnProofInput } from '#app/domain/people/schema.server.ts';
import { CodeField } from '#app/features/people/code-field.tsx';
import { UsernameForPasswordManagers } from '#app/features/people/username-for-password-managers.tsx';
import { paths } from '#app/paths.ts';
import { ButtonLink, Card, Actions, DateTime, type DateTimeText } from '#app/ui/elements.tsx';
import { QrCode } from '#app/ui/qr-code.tsx';
import { type FormField, HiddenField } from '#app/ui/forms/fields.tsx';
import { PostForm, SubmitButton, type FormState } from '#app/ui/forms/form.tsx';
import { CurrentPasswordField } from '#app/features/people/current-password-field.tsx';
import { ShownOnce } from '#app/ui/page/shown-once.tsx';

interface SetupFormProps {
  form: FormState;
  fields: Record<keyof OwnProofInput, FormField>;
  username: string;
  /** Null until the password is entered again. */
  setup: Setup | null;
}

interface Setup {
  secret: string;
  uri: string;
  qr: { size: number; path: string };
}

export function SetupForm({ form, fields, username, setup }: SetupFormProps) {
  return setup ? (
    <KeyForm form={form} field={fields.code} setup={setup} />
  ) : (
    <Card title="Set It Up">
      <p>Enter your password to see the key for your authenticator app.</p>
      <PostForm id={form.id}>
        <HiddenField name="intent" value="begin" />
        <UsernameForPasswordManagers username={username} />
        <CurrentPasswordField field={fields.currentPassword} />
        <Actions>
          <SubmitButton pendingLabel="Confirming...">Continue</SubmitButton>
          <ButtonLink to={paths.account}>Cancel</ButtonLink>
        </Actions>
      </PostForm>
    </Card>
  );
}

function KeyForm({ form, field, setup: { secret, uri, qr } }: { form: FormState; field: FormField; setup: Setup }) {
  return (
    <Card title="Set It Up">
      <p>Scan this with an authenticator app, then enter the code that it shows.</p>
      <QrCode qr={qr} label="The key below, to be scanned" />
      <p>
        Or enter this key there: <code className="secret">{secret}</code>
      </p>
      <p>
        <a href={uri}>Open it in an app on this device</a>
      </p>
      <PostForm id={form.id}>
        <HiddenField name="intent" value="add" />
        <CodeField field={field} hint="The six digits that the app shows now" />
        <Actions>
          <SubmitButton pendingLabel="Saving...">Turn On</SubmitButton>
          <ButtonLink to={paths.account}>Cancel</ButtonLink>
        </Actions>
      </PostForm>
    </Card>
  );
}

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
      <p className="hint">If you do not have them, make new ones here: the former ones end then.</p>
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

export function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <ShownOnce
      title="Your Recovery Codes"
      warning="Print or write them down now; they are not shown again. Each works once, in place of a code from the app."
      kept={{ to: paths.account, label: 'I have kept them' }}
    >
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </ShownOnce>
  );
}
