import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { shutDown } from '#app/server/remix-serve/shutdown.server.ts';
import * as fallback from '#app/routes/$/route.tsx';
import * as fleet from '#app/routes/airplanes._index/route.tsx';
import * as unknownCall from '#app/routes/api.$.ts';
import * as exportCall from '#app/routes/api.flight-logs.export.ts';
import * as userCall from '#app/routes/api.user.ts';
import * as draft from '#app/routes/drafts/route.ts';
import * as health from '#app/routes/healthz.ts';
import * as login from '#app/routes/login/route.tsx';
import * as logout from '#app/routes/logout/route.tsx';
import * as photo from '#app/routes/photos.$id.ts';
import * as ready from '#app/routes/readyz.ts';
import * as register from '#app/routes/register/route.tsx';
import * as users from '#app/routes/users._index/route.tsx';
import { appHandler } from '#tests/support/app-handler.ts';
import { testDatabase } from '#tests/support/database.ts';
import { withoutColumn } from '#tests/support/faults.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { makePhoto } from '#tests/support/scanned-photo.ts';
import { cookieOf, getRequest } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
afterAll(() => shutDown());
const handle = await appHandler({
  '/login': login,
  '/logout': logout,
  '/register': register,
  '/airplanes': fleet,
  '/users': users,
  '/drafts': draft,
  '/photos/:id': photo,
  '/api/user': userCall,
  '/api/flight-logs/export': exportCall,
  '/api/*': unknownCall,
  '/healthz': health,
  '/readyz': ready,
  '/*': fallback,
});

const POLICY =
  "default-src 'self'; script-src 'self' 'nonce-N'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const DOCUMENT = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY };
const PAGE = { ...DOCUMENT, 'x-kept-for': 'USER' };
const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
const JSON_ANSWER = { 'content-type': 'application/json' };
const SIGNED_OUT = { location: '/', 'clear-site-data': '"storage"' };
const DATA = { 'content-type': 'text/x-script; charset=utf-8', 'x-remix-response': 'yes' };

let admin: Member;
let cookie: string;
beforeAll(async () => {
  admin = await makeUser(db, await makeSchool(db), 'administrator');
  cookie = await cookieOf(db, admin);
});

/** Every header of the answer but the cookies, with 'N' for the nonce and 'HASH' for one of the answer. */
async function headersOf(request: Request, handler = handle) {
  const { status, headers } = await handler(request);
  const policy = headers.get('content-security-policy')?.replace(/'nonce-[A-Za-z0-9+/]{22}=='/, "'nonce-N'");
  const { 'set-cookie': _, ...others } = Object.fromEntries(headers);
  if (others['x-kept-for']) others['x-kept-for'] = 'USER';
  if (/^"[\w-]{43}"$/.test(others.etag ?? '')) others.etag = 'HASH';
  return { status, headers: policy === undefined ? others : { ...others, 'content-security-policy': policy } };
}

const get = (path: string) => getRequest(path, cookie);

/** A form as remix-serve hands it on, which has looked at its Origin already. */
function post(path: string, fields: Record<string, string> = {}): Request {
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  return new Request(`http://localhost:3000${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) });
}

describe('the headers of an answer beside those that the front sets', () => {
  it.each([
    ['a page', () => get('/airplanes'), 200, PAGE],
    ['the sign-in page', () => getRequest('/login'), 200, { ...PAGE, 'x-kept-for': '' }],
    ['a page that is not there', () => get('/nowhere'), 404, PAGE],
    ['a refused form', () => post('/airplanes'), 400, PAGE],
    ['what client navigation fetches', () => get('/airplanes.data'), 200, DATA],
    ['a redirect to sign-in', () => getRequest('/airplanes'), 302, { location: '/login?to=%2Fairplanes' }],
    ['a redirect after signing out', () => post('/logout'), 303, SIGNED_OUT],
    ['a call', () => get('/api/user'), 200, { ...JSON_ANSWER, etag: 'HASH' }],
    ['a call without a session', () => getRequest('/api/user'), 401, TEXT],
    ['a call that is not there', () => get('/api/nowhere'), 404, TEXT],
    ['a call by a method that it does not take', () => post('/api/user'), 405, { ...TEXT, allow: 'GET' }],
    ['a draft that was kept', () => post('/drafts', { typedForm: '/account#name' }), 200, JSON_ANSWER],
    ['a photo that is not there', () => get('/photos/1'), 404, TEXT],
  ])('%s has every header of the table and no other (B239, B441, C24, C28)', async (_, request, status, headers) => {
    cookie = await cookieOf(db, admin);
    expect(await headersOf(request())).toEqual({ status, headers });
  });

  it('a photo and the export have every header of the table and no other (B405, C28, C44, C49)', async () => {
    const id = await makePhoto(db, admin);
    for (const [path, type, disposition] of [
      [`/photos/${id}`, 'image/jpeg', /^inline; filename="photo-\d+\.jpg"$/],
      [
        '/api/flight-logs/export',
        'text/csv; charset=utf-8',
        /^attachment; filename="flight-logs-all-\d{4}-\d\d-\d\d\.csv"$/,
      ],
    ] as const) {
      const own = { 'content-type': type, 'content-disposition': expect.stringMatching(disposition) };
      expect(await headersOf(get(path))).toEqual({ status: 200, headers: own });
    }
  });

  it('a page that failed has every header of the table, and what watches the server is not stored (B296, C28)', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect((await headersOf(getRequest(path))).headers['cache-control']).toBe('no-store');
    await withoutColumn(db, 'users', 'username_key', async () => {
      expect(await headersOf(get('/users'))).toEqual({ status: 500, headers: PAGE });
    });
  });

  it('a page whose address holds a token sends no referrer; while somebody is signed in, the origin alone (C24)', async () => {
    const { token } = await makeInvitation(db, admin);
    const policyFor = async (who: string) =>
      (await handle(getRequest(`/register?token=${token}`, who))).headers.get('referrer-policy');
    expect([await policyFor(''), await policyFor(cookie)]).toEqual(['no-referrer', 'strict-origin']);
  });
});

describe('where APP_URL is https', () => {
  it('every answer asks to come back by https alone, and a page to fetch what it needs by https (C26)', async () => {
    vi.resetModules();
    vi.stubEnv('APP_URL', 'https://localhost:3000');
    const secure = await appHandler({ '/login': await import('#app/routes/login/route.tsx') });
    const { DEFAULT_HEADERS } = await import('#app/server/security-headers.server.ts');
    expect(DEFAULT_HEADERS['strict-transport-security']).toBe('max-age=63072000; includeSubDomains');
    vi.unstubAllEnvs();
    vi.resetModules();
    const policy = `${POLICY}; upgrade-insecure-requests`;
    expect(await headersOf(getRequest('/login'), secure)).toEqual({
      status: 200,
      headers: { ...PAGE, 'x-kept-for': '', 'content-security-policy': policy },
    });
  });
});
