import { createHmac, timingSafeEqual } from 'node:crypto';

const COOKIE = /(?:^|; )flightline=([^;]*)/;

/** Returns the id of the session that the product's cookie names; undefined if this secret has not signed it. */
export function sessionIdOf(cookieHeader, secret = process.env.SESSION_SECRET) {
  const value = decodeURIComponent(COOKIE.exec(cookieHeader ?? '')?.[1] ?? '');
  const end = value.lastIndexOf('.');
  const [data, signature] = [value.slice(0, end), Buffer.from(value.slice(end + 1))];
  const expected = Buffer.from(createHmac('sha256', secret).update(data).digest('base64').replace(/=+$/, ''));
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
  const token = JSON.parse(Buffer.from(data, 'base64').toString());
  return createHmac('sha256', secret).update(token).digest('base64url');
}
