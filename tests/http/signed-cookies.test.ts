import { expect, it } from 'vitest';
import { MAX_USERS_OF_DEVICE } from '#app/limits.ts';
import { readToast, redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { flashCookie } from '#app/server/session/cookies.server.ts';
import {
  findDeviceInCookies,
  findKnownDeviceId,
  serializeDeviceOfUser,
} from '#app/server/session/known-device.server.ts';
import { askForPasskey, requireChallenge } from '#app/server/session/passkey-sign-in.server.ts';
import { findSessionUser } from '#app/server/session/session.server.ts';
import { makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { cookieOf, getRequest } from '#tests/support/requests.ts';

const { db } = await testDatabase();
const user = await makeUser(db, await makeSchool(db));
const device = await serializeDeviceOfUser(user.username);
const toast = (await redirectWithToast('/', successToast('Saved'))).headers.get('set-cookie') ?? '';

const asked = (await askForPasskey()).cookie;

/** The signed cookies, each with what reads it. */
const COOKIES = [
  { cookie: await cookieOf(db, user), read: (cookie: string) => findSessionUser(db, getRequest('/', cookie)) },
  { cookie: device, read: (cookie: string) => findDeviceInCookies(cookie) },
  {
    cookie: asked,
    read: (cookie: string) => requireChallenge(getRequest('/', cookie), 'sign-in').catch(() => undefined),
  },
  { cookie: toast, read: async (cookie: string) => (await readToast(getRequest('/', cookie))).toast },
].map(({ cookie, read }) => {
  const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/);
  return { name, value, read };
});

it.each(COOKIES)(
  'the cookie $name is read as it was signed, not with a character changed or signed for another (B408)',
  async ({ name, value, read }) => {
    expect(await read(`${name}=${value}`)).toBeTruthy();
    const content = decodeURIComponent(value);
    for (const at of [0, 10, content.lastIndexOf('.') + 5]) {
      const changed = content.slice(0, at) + (content[at] === 'A' ? 'B' : 'A') + content.slice(at + 1);
      expect(await read(`${name}=${encodeURIComponent(changed)}`), `character ${at}`).toBeFalsy();
    }
    expect(await read(`${name}=${encodeURIComponent(content.slice(0, content.lastIndexOf('.')))}`)).toBeFalsy();
    for (const other of COOKIES.filter((each) => each.name !== name))
      expect(await read(`${name}=${other.value}`), `signed for ${other.name}`).toBeFalsy();
  },
);

it('a toast that this release cannot read is not shown, and does not stay in the browser (B408)', async () => {
  const [cookie = ''] = (await flashCookie.serialize({ headline: 'Saved' })).split(';');
  const read = await readToast(getRequest('/', cookie));
  expect([read.toast, read.headers.get('set-cookie')]).toEqual([null, expect.stringContaining('Max-Age=0')]);
});

it('the cookie of a device that many share names the last of them (B408)', async () => {
  let cookie = '';
  for (let count = 0; count <= MAX_USERS_OF_DEVICE; count += 1) {
    const made = await serializeDeviceOfUser(`user ${count}`, await findDeviceInCookies(cookie));
    cookie = made.split(';')[0] ?? '';
  }
  expect((await findDeviceInCookies(cookie))?.users).toHaveLength(MAX_USERS_OF_DEVICE);
  expect(await findKnownDeviceId(getRequest('/', cookie), 'user 0')).toBeUndefined();
  expect(await findKnownDeviceId(getRequest('/', cookie), 'user 1')).toBeDefined();
});
