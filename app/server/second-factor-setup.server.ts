import { createHmac } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { encode } from 'uqr';
import type { Actor } from '#app/domain/actor.ts';
import { env } from '#app/env.server.ts';

const SECRET_BYTES = 20;

export interface SecondFactorSetup {
  secret: string;
  /** For apps on this device. */
  uri: string;
  qr: { size: number; path: string };
}

/** The same throughout a session, so that a form with a wrong code leaves the app's entry good. */
export function setupSecret({ id, sessionId = '' }: Actor): string {
  const key = createHmac('sha256', env.SESSION_SECRET).update(`second factor ${id} ${sessionId}`).digest();
  return Secret.fromHex(key.subarray(0, SECRET_BYTES).toString('hex')).base32;
}

export function secondFactorSetup(actor: Actor): SecondFactorSetup {
  const secret = setupSecret(actor);
  const uri = new TOTP({ issuer: env.PRODUCT_NAME, label: actor.username, secret }).toString();
  return { secret: (secret.match(/.{4}/g) ?? []).join(' '), uri, qr: drawQr(uri) };
}

/** An SVG path to be stroked one unit wide: a line for each run of dark modules. */
function drawQr(text: string): SecondFactorSetup['qr'] {
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}.5h${run.length}`),
  );
  return { size, path: runs.join('') };
}
