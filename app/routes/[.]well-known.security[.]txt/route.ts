import { env } from '#app/env.server.ts';
import { SECURITY_TXT_LIFE_MS } from '#app/limits.ts';
import { serverOnlyPaths } from '#app/paths.ts';
import { textResponse } from '#app/server/api/api-responses.server.ts';

/** Says where to report a vulnerability (RFC 9116). */
export function loader(): Response {
  if (env.SECURITY_CONTACT === undefined) return textResponse('SECURITY_CONTACT is not set.\n', 404);
  const fields = {
    Contact: env.SECURITY_CONTACT,
    Expires: new Date(Date.now() + SECURITY_TXT_LIFE_MS).toISOString(),
    'Preferred-Languages': 'en',
    Canonical: env.APP_URL + serverOnlyPaths.securityTxt,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  return textResponse(lines.join(''), 200);
}
