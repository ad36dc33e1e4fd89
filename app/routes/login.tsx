import { redirect } from '@remix-run/node';
import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { Card } from '../components/card.tsx';
import { Checkbox } from '../components/checkbox.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { RequestId } from '../components/hidden-field.tsx';
import { Screen } from '../components/screen.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { TextField } from '../components/text-field.tsx';
import { useForm } from '../components/use-form.ts';
import { titled, useProductName, useToast } from '../components/use-root.ts';
import { db } from '../db.server.ts';
import { type SignInFields, signInFields } from '../domain/people/fields.server.ts';
import { env } from '../env.server.ts';
import { authenticate } from '../http/authenticator.server.ts';
import { redirectWith, success } from '../http/flash.server.ts';
import { newRequestId, settle } from '../http/forms.server.ts';
import { anyone, anyonePost } from '../http/screen.server.ts';
import { actorOf, beginSession } from '../http/session.server.ts';
import { returnPath } from '../http/return-path.server.ts';
import { paths } from '../paths.ts';

export const meta = titled('Log in');

export const loader = anyone(async ({ request }) => {
  if (await actorOf(db, request)) throw redirect(paths.dashboard);
  return { requestId: newRequestId() };
});

export const action = anyonePost(({ request, form, url }) =>
  settle(form, signInFields, { failed: 'Login failed', hide: ['password'] }, async (credentials) => {
    const userId = await authenticate(request, credentials);
    const cookie = await beginSession(db, request, userId, credentials);
    return redirectWith(returnPath(url), success('Login successful!', `Welcome to ${env.PRODUCT_NAME}`), [cookie]);
  }),
);

export default function Login() {
  const productName = useProductName();
  const { requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<SignInFields>({ id: 'login', lastResult: reply?.result });
  return (
    <Screen
      title={productName}
      subtitle="Log in to manage your flight school's operations"
      lead={<ErrorSummary form={form} />}
      toast={useToast(reply)}
      width="form"
    >
      <Card>
        <Form method="post" id={form.id} noValidate>
          <RequestId value={requestId} />
          <TextField field={fields.username} label="Username" autoComplete="username" autoCapitalize="none" required />
          <TextField
            field={fields.password}
            label="Password"
            type="password"
            autoComplete="current-password"
            required
          />
          <Checkbox field={fields.sharedComputer} label="This is a shared computer" hint="You will be signed out after 8 hours." />
          <SubmitButton pending="Logging in...">Login</SubmitButton>
        </Form>
      </Card>
    </Screen>
  );
}
