import { keepFormOnNetworkError, ErrorSummary, PostForm, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import { newFormRequestId, publicFormAction, publicLoader } from '#app/server/screen.server.ts';
import { redirect } from '@remix-run/node';
import { useEffect } from 'react';
import { useActionData, useLoaderData } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { Card, Notice } from '#app/ui/elements.tsx';
import { Checkbox } from '#app/ui/forms/choices.tsx';
import { TextField } from '#app/ui/forms/fields.tsx';
import { Screen, createTitleMeta, useProductName, useToast } from '#app/ui/page/screen.tsx';
import { PasskeySignInButton } from '#app/features/people/passkey-sign-in-button.tsx';
import { useHydrated } from '#app/ui/hooks/use-hydrated.ts';
import { type SignInInput, signInSchema } from '#app/domain/people/schema.server.ts';
import { sharedComputerHint } from '#app/domain/texts.ts';
import { signIn } from './sign-in.server.ts';
import { paths } from '#app/paths.ts';

export const clientAction = keepFormOnNetworkError('Login failed');

export const meta = createTitleMeta('Log in');

export const loader = publicLoader(async ({ actor }) => {
  if (actor) throw redirect(paths.dashboard);
  return { requestId: newFormRequestId() };
});

export const action = publicFormAction({
  schema: signInSchema,
  failed: 'Login failed',
  hiddenFields: ['password'],
  run: signIn,
});

const TOO_MANY = 429;

export default function Login() {
  const productName = useProductName();
  const { requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const toast = useToast(reply);
  const [form, fields] = useForm<SignInInput>({
    id: 'login',
    lastResult: reply?.result,
    defaultValue: { username: toast?.username },
  });
  const isRefused = form.errors !== undefined;
  // A toast goes away, and the wait does not.
  const mustWait = reply?.status === TOO_MANY;
  useEffect(() => {
    const input = document.getElementById(fields.password.id);
    if (!reply || !isRefused || mustWait || !(input instanceof HTMLInputElement)) return;
    input.focus();
    input.select();
  }, [reply, isRefused, mustWait, fields.password.id]);
  return (
    <Screen
      title={productName}
      subtitle="Log in to manage your flight school's operations"
      beforeTitle={(!isRefused || mustWait) && <ErrorSummary form={form} />}
      toast={toast}
      width="form"
    >
      <CookiesRefused />
      <Card>
        <PostForm id={form.id} requestId={requestId}>
          <TextField field={fields.username} label="Username" autoComplete="username" autoCapitalize="none" required />
          <TextField
            field={fields.password}
            label="Password"
            type="password"
            autoComplete="current-password"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- only where the page returns with this field emptied
            autoFocus={isRefused && !mustWait}
            required
          />
          <Checkbox field={fields.sharedComputer} label="This is a shared computer" hint={sharedComputerHint} />
          <SubmitButton pendingLabel="Logging in...">Login</SubmitButton>
          <PasskeySignInButton />
        </PostForm>
        <p>
          <Link to={paths.forgotPassword}>Forgot password?</Link>
        </p>
      </Card>
    </Screen>
  );
}

function CookiesRefused() {
  if (!useHydrated() || navigator.cookieEnabled) return null;
  return (
    <Notice tone="caution">
      This browser refuses cookies. Nobody can be signed in without one: please allow cookies for this site, then load
      this page again.
    </Notice>
  );
}
