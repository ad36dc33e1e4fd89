import { TOTP } from 'otpauth';
import { drawQr, type Qr } from '#app/domain/qr/draw-qr.server.ts';
import { env } from '#app/env.server.ts';

export interface SecondFactorSetup {
  secret: string;
  uri: string;
  qr: Qr;
}

export function secondFactorSetup(username: string, secret: string): SecondFactorSetup {
  const uri = new TOTP({ issuer: env.PRODUCT_NAME, label: username, secret }).toString();
  return { secret: (secret.match(/.{4}/g) ?? []).join(' '), uri, qr: drawQr(uri) };
}
