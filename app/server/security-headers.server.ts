import { env } from '#app/env.server.ts';
import { HSTS_LIFE_S } from '#app/limits.ts';

const secure = env.APP_URL.startsWith('https:');

/** Headers of every response, which the front sets; one may have others of its own, as a document its policy. */
export const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The value is not 'no-referrer', because over http a browser would then post our own forms with Origin 'null'.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
  ...(secure && { 'strict-transport-security': `max-age=${HSTS_LIFE_S}; includeSubDomains` }),
};

export function contentSecurityPolicy(nonce: string, styleHash?: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    styleSource(styleHash),
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** Returns the policy of a page made without Remix, which runs nothing. */
export function scriptlessPolicy(styleHash?: string): string {
  return [
    "default-src 'none'",
    styleSource(styleHash),
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

function styleSource(hash: string | undefined): string {
  return ['style-src', "'self'", ...(hash ? [hash] : [])].join(' ');
}
