import { z } from 'zod';
import { AppError } from '#app/domain/app-error.ts';
import { PASSKEY_CHALLENGE_LIFE_S } from '#app/limits.ts';
import { passkeyCookie } from '../cookies.server.ts';
import { passkeyTexts } from '#app/domain/people/passkeys/passkey-texts.server.ts';

const shared = { challenge: z.string(), until: z.number() };

const askedSchema = z.discriminatedUnion('for', [
  z.object({ for: z.literal('sign-in'), ...shared }),
  z.object({ for: z.literal('add'), ...shared, userId: z.number(), passwordGeneration: z.number(), name: z.string() }),
]);

type Asked = z.infer<typeof askedSchema>;
type AskedFor<Purpose extends Asked['for']> = Extract<Asked, { for: Purpose }>;
type Kept<Purpose extends Asked['for']> = Omit<AskedFor<Purpose>, 'until'>;

/** Keeps the question; returns the Set-Cookie value. */
export function keepChallenge(asked: Kept<'sign-in'> | Kept<'add'>): Promise<string> {
  return passkeyCookie.serialize({ ...asked, until: Date.now() + PASSKEY_CHALLENGE_LIFE_S * 1000 });
}

/** Returns the question that was asked. Throws 'unauthorized' without one for this purpose, or after its time. */
export async function requireChallenge<Purpose extends Asked['for']>(
  request: Request,
  purpose: Purpose,
): Promise<AskedFor<Purpose>> {
  const { data } = askedSchema.safeParse(await passkeyCookie.parse(request.headers.get('cookie')));
  if (!data || !isFor(data, purpose) || data.until <= Date.now())
    throw new AppError('unauthorized', passkeyTexts.expired);
  return data;
}

export function clearChallenge(): Promise<string> {
  return passkeyCookie.serialize('', { maxAge: 0 });
}

function isFor<Purpose extends Asked['for']>(asked: Asked, purpose: Purpose): asked is AskedFor<Purpose> {
  return asked.for === purpose;
}
