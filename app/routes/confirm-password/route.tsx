import { authedLoader } from '#app/server/screen.server.ts';
import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { UsernameForPasswordManagers } from '#app/features/people/username-for-password-managers.tsx';
import { ButtonLink, Card, DescriptionList, Actions } from '#app/ui/elements.tsx';
import { HiddenField, TextField } from '#app/ui/forms/fields.tsx';
import { PostForm, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import { CurrentPasswordField } from '#app/features/people/current-password-field.tsx';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { describeTypedValues } from '#app/typed-values.ts';
import { db } from '#app/server/db.server.ts';
import { findFormForPassword } from '#app/domain/drafts.server.ts';
import { FORM_HAD_PASSWORD } from '#app/domain/typed-forms/field-names.ts';
import { parseReturnPath } from '#app/server/query-values.server.ts';

export const meta = createTitleMeta('Confirm Your Password');

/** The page goes on at once if no form waits for the password. */
export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor, url }) => {
    const target = new URL(parseReturnPath(url), url.origin);
    const { pathname, search } = target;
    const form = await findFormForPassword(db, actor.id, pathname + search);
    if (!form) throw redirect(pathname);
    const { [FORM_HAD_PASSWORD]: password, ...values } = form.values;
    return {
      username: actor.username,
      action: pathname + search,
      cancel: pathname,
      typedForm: form.name,
      values,
      hasPassword: password !== undefined,
    };
  },
});

export default function ConfirmPassword() {
  const { username, action, cancel, typedForm, values, hasPassword } = useLoaderData<typeof loader>();
  const toast = useToast(undefined);
  const refusal = toast?.tone === 'destructive' ? toast.text : undefined;
  const [form, fields] = useForm<{ passwordAgain: string; password: string }>({
    id: 'confirm-password',
    lastResult: refusal ? { error: { passwordAgain: [refusal] } } : undefined,
  });
  return (
    <Screen
      title="Confirm Your Password"
      subtitle="You last entered it more than 15 minutes ago. Enter it again to finish what you started."
      showBackLink
      toast={toast}
      width="form"
    >
      <Card>
        <DescriptionList
          items={[
            { term: 'Page', detail: cancel },
            { term: 'Action', detail: values.intent?.replaceAll('-', ' ') ?? null },
            ...describeTypedValues(Object.entries(values)),
          ]}
        />
        <PostForm action={action} id={form.id} typedForm={typedForm}>
          {Object.entries(values).map(([name, value]) => (
            <HiddenField key={name} name={name} value={value} />
          ))}
          <UsernameForPasswordManagers username={username} />
          <CurrentPasswordField field={fields.passwordAgain} isRefused={refusal !== undefined} />
          {hasPassword && (
            <TextField
              field={fields.password}
              label="Password of the New User"
              hint="As you typed it before. Passwords are not kept, so please enter it again."
              type="password"
              autoComplete="new-password"
              required
            />
          )}
          <Actions>
            <SubmitButton pendingLabel="Confirming...">Confirm</SubmitButton>
            <ButtonLink to={cancel}>Cancel</ButtonLink>
          </Actions>
        </PostForm>
      </Card>
    </Screen>
  );
}
