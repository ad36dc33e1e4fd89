import { expect, it } from 'vitest';
import * as dashboard from '#app/routes/_index/route.tsx';
import { appHandler, cookieOf, getRequest } from '#tests/support/ask.ts';
import { makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';

const { db } = await testDatabase();
const handle = await appHandler({ '/': dashboard });

it('text that would end a script or an attribute changes neither the page nor the data in its scripts (B324)', async () => {
  const name = `</script><script>alert(1)</script><!-- "' onload=alert(2) \u2028 \\`;
  const user = await makeUser(db, await makeSchool(db, { name }));
  const [html, plain] = await Promise.all([documentOf(user), documentOf(await makeUser(db, await makeSchool(db)))]);
  expect(html).not.toContain('<script>alert');
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &quot;&#x27; onload=alert(2)');
  expect(scriptsIn(html)).toBe(scriptsIn(plain));
});

async function documentOf(user: { id: number }): Promise<string> {
  return (await handle(getRequest('/', await cookieOf(db, user)))).text();
}

function scriptsIn(html: string): number {
  return html.match(/<\/?script/gi)?.length ?? 0;
}

it('a page holds the whole of its data for its script, the first time it is rendered (B1194)', async () => {
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
