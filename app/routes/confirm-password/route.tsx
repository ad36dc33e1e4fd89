import { authedLoader } from '#app/server/screen-loader.server.ts';
import { redirect } from '@remix-run/node';
import { Form, useLoaderData } from '@remix-run/react';
import { UsernameForPasswordManagers } from '#app/features/people/username-for-password-managers.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { HiddenField } from '#app/ui/forms/hidden-field.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { CurrentPasswordField } from '#app/features/people/current-password-field.tsx';
import { Actions } from '#app/ui/layout.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { findFormForProof } from '#app/server/parked-forms.server.ts';
import { parseReturnPath } from '#app/server/return-path.server.ts';

export const meta = pageTitle('Confirm Your Password');

/** Without a form that waits there is nothing to confirm. */
export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor, url }) => {
    const target = new URL(parseReturnPath(url), url.origin);
    const values = await findFormForProof(db, actor, target);
    if (!values) throw redirect(target.pathname);
    return { username: actor.username, action: target.pathname + target.search, cancel: target.pathname, values };
  },
});

export default function ConfirmPassword() {
  const { username, action, cancel, values } = useLoaderData<typeof loader>();
  const [form, fields] = useForm<{ passwordAgain: string }>({ id: 'confirm-password' });
  return (
    <Screen
      title="Confirm Your Password"
      subtitle="You entered it more than 15 minutes ago. Then what you chose is done."
      showBackLink
      toast={useToast(undefined)}
      width="form"
    >
      <Card>
        <Form method="post" action={action} id={form.id} noValidate>
          {Object.entries(values).map(([name, value]) => (
            <HiddenField key={name} name={name} value={value} />
          ))}
          <UsernameForPasswordManagers username={username} />
          <CurrentPasswordField field={fields.passwordAgain} />
          <Actions>
            <SubmitButton pendingLabel="Confirming...">Confirm</SubmitButton>
            <ButtonLink to={cancel}>Cancel</ButtonLink>
          </Actions>
        </Form>
      </Card>
    </Screen>
  );
}
