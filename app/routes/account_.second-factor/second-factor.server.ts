import { redirect } from '@remix-run/node';
import { TOTP } from 'otpauth';
import type { Actor } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import {
  addSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
} from '#app/domain/people/second-factor/change-second-factor.server.ts';
import type { ChangeSecondFactorInput } from '#app/domain/people/schema.server.ts';
import { findOrCreateSetupSecret } from '#app/domain/people/second-factor/factor-keys.server.ts';
import {
  generateRecoveryCodes,
  findSecondFactor,
  requireStep,
} from '#app/domain/people/second-factor/second-factors.server.ts';
import type { VerifiedUser } from '#app/domain/people/sessions.server.ts';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { verifyCodeOf, verifyPasswordAndRenewSession } from '#app/server/session/authenticator.server.ts';
import { db } from '#app/server/db.server.ts';
import { doneOnSamePage, redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { drawQr, type Qr } from '#app/domain/qr/draw-qr.server.ts';
import { env } from '#app/env.server.ts';

interface Change {
  actor: Actor;
  verified: VerifiedUser | undefined;
}

/** Has no key: the answer holds codes that are stored nowhere. */
export async function changeSecondFactor(request: Request, actor: Actor, input: ChangeSecondFactorInput) {
  if (input.intent === 'add') return add(actor, input.code);
  const proved = await verifyPasswordAndRenewSession(request, actor, input, {
    key: undefined,
    operation: 'change second factor',
  });
  if (input.intent === 'begin') return redirect(paths.secondFactor, 303);
  const { actor: owner, verified } = proved;
  await verifyCodeOf(request, owner, input.code);
  const change = { actor: owner, verified };
  return input.intent === 'remove' ? remove(change) : replaceCodes(change);
}

async function add(actor: Actor, code: string) {
  if (await findSecondFactor(db, actor.id)) throw new AppError('conflict', texts.secondFactorThere);
  const secret = await findOrCreateSetupSecret(db, actor);
  if (secret === undefined) throw new AppError('conflict', texts.secondFactorSetupOver);
  const step = requireStep(secret, code);
  const { codes, hashes } = generateRecoveryCodes();
  await addSecondFactor(db, actor, { secret, step, codeHashes: hashes });
  return doneOnSamePage('Second factor is on', { recoveryCodes: codes });
}

async function replaceCodes({ actor, verified }: Change) {
  const { codes, hashes } = generateRecoveryCodes();
  await replaceRecoveryCodes(db, actor, { codeHashes: hashes, verified });
  return doneOnSamePage('New recovery codes', { recoveryCodes: codes });
}

async function remove({ actor, verified }: Change) {
  await removeSecondFactor(db, actor, { verified });
  return redirectWithToast(paths.account, successToast('Second factor removed'));
}

interface SecondFactorSetup {
  secret: string;
  uri: string;
  qr: Qr;
}

export function secondFactorSetup(username: string, secret: string): SecondFactorSetup {
  const uri = new TOTP({ issuer: env.PRODUCT_NAME, label: username, secret }).toString();
  return { secret: (secret.match(/.{4}/g) ?? []).join(' '), uri, qr: drawQr(uri) };
}
