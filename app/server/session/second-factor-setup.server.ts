import { TOTP } from 'otpauth';
import { encode } from 'uqr';
import { env } from '#app/env.server.ts';

export interface SecondFactorSetup {
  secret: string;
  /** For apps on this device. */
  uri: string;
  qr: { size: number; path: string };
}

export function secondFactorSetup(username: string, secret: string): SecondFactorSetup {
  const uri = new TOTP({ issuer: env.PRODUCT_NAME, label: username, secret }).toString();
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
