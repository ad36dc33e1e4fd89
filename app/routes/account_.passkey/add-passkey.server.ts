import { data } from '@remix-run/node';
import type { Actor } from '#app/domain/actor.ts';
import { addPasskey } from '#app/domain/people/passkeys/add-passkey.server.ts';
import { consumeChallenge, createChallenge } from '#app/domain/people/passkeys/passkey-challenges.server.ts';
import { creationOptions } from '#app/domain/people/passkeys/relying-party.server.ts';
import type { AddPasskeyInput } from '#app/domain/people/passkeys/schema.server.ts';
import { verifyNewPasskey } from '#app/domain/people/passkeys/verify-passkey.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { verifyOwnerOf } from '#app/server/session/authenticator.server.ts';
import {
  clearChallenge,
  keepChallenge,
  requireChallenge,
} from '#app/server/session/passkeys/passkey-challenge.server.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';

type Input<Intent> = Extract<AddPasskeyInput, { intent: Intent }>;

export async function askForNewPasskey(request: Request, actor: Actor, { name, currentPassword, code }: Input<'ask'>) {
  const once = { key: undefined, operation: 'ask for a passkey' };
  const { verified } = await verifyOwnerOf(request, actor, { currentPassword, code }, once);
  if (!verified) throw new AppError('unauthorized', texts.unauthorized);
  const challenge = createChallenge();
  const options = await creationOptions(db, actor, challenge);
  const cookie = await keepChallenge({ for: 'add', challenge, name, ...verified });
  return data({ options, result: null, toast: null, requestId: null }, { headers: { 'set-cookie': cookie } });
}

export async function addNewPasskey(request: Request, actor: Actor, { response }: Input<'add'>) {
  const { challenge, name, userId, passwordGeneration } = await requireChallenge(request, 'add');
  await consumeChallenge(db, challenge);
  const passkey = await verifyNewPasskey(response, challenge);
  await addPasskey(db, actor, { name, passkey, verified: { userId, passwordGeneration } });
  return redirectWithToast(paths.account, successToast('Passkey added'), [await clearChallenge()]);
}
