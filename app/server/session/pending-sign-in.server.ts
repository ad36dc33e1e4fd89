import { z } from 'zod';
import { SECOND_STEP_LIFE_S } from '#app/limits.ts';
import { pendingSignInCookie } from './cookies.server.ts';

const pendingSchema = z.object({
  userId: z.number(),
  passwordGeneration: z.number(),
  username: z.string(),
  sharedComputer: z.boolean().optional(),
  until: z.number(),
});

/** A sign-in whose password was right and whose code is to come. */
export type PendingSignIn = z.infer<typeof pendingSchema>;

/** Keeps the sign-in until its second step; returns the Set-Cookie value. */
export function keepPendingSignIn(pending: Omit<PendingSignIn, 'until'>): Promise<string> {
  return pendingSignInCookie.serialize({ ...pending, until: Date.now() + SECOND_STEP_LIFE_S * 1000 });
}

export async function findPendingSignIn(request: Request): Promise<PendingSignIn | undefined> {
  const { data } = pendingSchema.safeParse(await pendingSignInCookie.parse(request.headers.get('cookie')));
  return data && data.until > Date.now() ? data : undefined;
}

export function clearPendingSignIn(): Promise<string> {
  return pendingSignInCookie.serialize('', { maxAge: 0 });
}
