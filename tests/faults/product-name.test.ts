import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSettings } from '#app/settings.server.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const DEFAULT = readSettings({ DATABASE_URL: 'postgres://localhost/x', SESSION_SECRET: 'x'.repeat(32) }).PRODUCT_NAME;
const NAME = 'Runway & Nine';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ PRODUCT_NAME: NAME });
});
afterAll(() => server.stop());

it('every page and the contract show the given PRODUCT_NAME, and no page shows the default one (C64)', async () => {
  const cookie = await cookieOf(server.db, await makeUser(server.db, await makeSchool(server.db), 'administrator'));
  const read = async (path: string, headers = {}) => (await fetch(server.url + path, { headers })).text();
  const shown = NAME.replace('&', '&amp;');
  expect(await read('/')).toContain(`Welcome to ${shown}`);
  expect(await read('/login')).toContain(`<title>Log in · ${shown}</title>`);
  for (const path of ['/', '/login', '/airplanes', '/users', '/no/such/page']) {
    const page = await read(path, { cookie });
    expect(page).toContain(shown);
    expect(page).not.toContain(DEFAULT);
  }
  expect(JSON.parse(await read('/api/openapi.json', { cookie })).info.title).toBe(`${NAME} API`);
});
