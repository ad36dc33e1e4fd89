import { expect, it } from 'vitest';
import * as dashboard from '#app/routes/_index/route.tsx';
import { appHandler } from '#tests/support/app-handler.ts';
import { testDatabase } from '#tests/support/database.ts';
import { cookieOf, getRequest } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

it('a page holds the whole of its data for its script, the first time it is rendered (B1194)', async () => {
  const handle = await appHandler({ '/': dashboard });
  const name = 'Bay Flying Club';
  const user = await makeUser(db, await makeSchool(db, { name }));
  const html = await (await handle(getRequest('/', await cookieOf(db, user)))).text();
  const broken =
    'RemixServer of @remix-run/react no longer reads renderMeta.streamCache: app/entry.server.tsx ' +
    'fills it for nothing, and no page is ever hydrated. Render by renderToPipeableStream and onAllReady instead.';
  const scripts = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  const data = scripts.filter((script) => script.includes('streamController.enqueue'));
  expect(data.join(), broken).toContain(name);
  expect(html, broken).toContain('streamController.close()');
});
