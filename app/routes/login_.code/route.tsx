import { keepFormOnNetworkError, useForm } from '#app/ui/forms/form.tsx';
import { newFormRequestId, publicFormAction, publicLoader } from '#app/server/screen.server.ts';
import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { CodeField } from '#app/features/people/code-field.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';
import { createTitleMeta } from '#app/ui/page/screen.tsx';
import { db } from '#app/server/db.server.ts';
import { type CodeInput, codeSchema } from '#app/domain/people/schema.server.ts';
import { env } from '#app/env.server.ts';
import {
  authenticateCode,
  serializeExpiredPendingSignIn,
  findPendingSignIn,
  type PendingSignIn,
} from '#app/server/session/authenticator.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { startSession } from '#app/server/session/session.server.ts';
import { parseReturnPath } from '#app/server/query-values.server.ts';
import { paths, serverOnlyPaths } from '#app/paths.ts';

export const clientAction = keepFormOnNetworkError('Login failed');

export const meta = createTitleMeta('Enter Your Code');

export const loader = publicLoader(async ({ request, url, actor }) => {
  if (actor) throw redirect(paths.dashboard);
  if (!(await findPendingSignIn(request))) throw redirect(serverOnlyPaths.signIn(parseReturnPath(url)));
  return { requestId: newFormRequestId() };
});

export const action = publicFormAction({
  schema: codeSchema,
  failed: 'Login failed',
  hiddenFields: ['code'],
  precheck: async ({ request }) => requirePendingSignIn(request),
  run: async ({ request, url, input }) => {
    const pending = await requirePendingSignIn(request);
    await authenticateCode(request, pending, input.code);
    const session = await startSession(db, request, pending, { ...pending, usedSecondFactor: true });
    const cookies = [...session, await serializeExpiredPendingSignIn()];
    const toast = successToast('Login successful!', `Welcome to ${env.PRODUCT_NAME}`);
    return redirectWithToast(parseReturnPath(url), toast, cookies);
  },
});

async function requirePendingSignIn(request: Request): Promise<PendingSignIn> {
  const pending = await findPendingSignIn(request);
  if (!pending) throw redirect(paths.login, 303);
  return pending;
}

export default function EnterCode() {
  const { requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<CodeInput>({ id: 'code', lastResult: reply?.result });
  return (
    <FormScreen
      title="Enter Your Code"
      subtitle="Open your authenticator app, or take one of your recovery codes."
      showBackLink={false}
      form={form}
      reply={reply}
      requestId={requestId}
      submit={{ label: 'Continue', pending: 'Logging in...' }}
      cancelTo={paths.login}
    >
      <CodeField field={fields.code} />
    </FormScreen>
  );
}
