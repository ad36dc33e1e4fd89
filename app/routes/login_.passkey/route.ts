import { env } from '#app/env.server.ts';
import { serializeToast, successToast } from '#app/server/flash.server.ts';
import { parseReturnPath } from '#app/server/query-values.server.ts';
import { publicAction, publicLoader } from '#app/server/screen.server.ts';
import { askForPasskey, startPasskeySession } from '#app/server/session/passkey-sign-in.server.ts';

/** The loader gives the question that the island on the sign-in screen asks an authenticator. */
export const loader = publicLoader(async () => {
  const { options, cookie } = await askForPasskey();
  return Response.json(options, { headers: { 'set-cookie': cookie } });
});

/** The answer is the path to go to; the island's request would follow a redirect and take its toast. */
export const action = publicAction({
  handle: async ({ request, url, form }) => {
    const cookies = await startPasskeySession(request, form);
    const toast = successToast('Login successful!', `Welcome to ${env.PRODUCT_NAME}`);
    const headers = new Headers();
    for (const cookie of [...cookies, await serializeToast(toast)]) headers.append('set-cookie', cookie);
    return Response.json({ to: parseReturnPath(url) }, { headers });
  },
});
