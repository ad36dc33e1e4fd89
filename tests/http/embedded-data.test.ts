import { expect, it } from 'vitest';
import * as dashboard from '#app/routes/_index/route.tsx';
import { appHandler } from '#tests/support/app-handler.ts';
import { testDatabase } from '#tests/support/database.ts';
import { cookieOf, getRequest } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';

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
