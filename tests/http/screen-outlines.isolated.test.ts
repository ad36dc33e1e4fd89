import { beforeAll, describe, expect, it } from 'vitest';
import { API_CALLS } from '#app/server/contract/calls.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { handleRequest } from '#tests/support/app-handler.ts';
import { documentAt } from '#tests/support/documents.ts';
import { type EmptySchool, type FullSchool, makeEmptySchool, makeFullSchool } from '#tests/support/fixtures.ts';
import { freezeClock } from '#tests/support/frozen-clock.ts';
import { cookieOf, getRequest, pendingCookieOf } from '#tests/support/requests.ts';
import type { Viewer } from '#tests/support/screen-addresses.ts';
import { outlineOf } from '#tests/support/screen-outline.ts';
import { servedStates } from '#tests/support/screen-states.ts';

const { db } = await testDatabase();
await freezeClock(db, '2026-06-01T12:00:00Z');

let full: FullSchool;
let empty: EmptySchool;
let cookies: Record<'full' | 'empty', Record<Viewer, string>>;
beforeAll(async () => {
  full = await makeFullSchool(db);
  empty = await makeEmptySchool(db);
  // One session each, whichever tests run: the account shows them.
  cookies = { full: await cookiesOfViewers(full), empty: await cookiesOfViewers(empty) };
});

describe('what a screen shows changes only where its outline does (npx vitest -u writes them anew)', () => {
  it.each(servedStates())('B998: the main part of the screen $name', async ({ name, as, path, empty: isEmpty }) => {
    const { $, status } = await documentAt(path(full), cookies[isEmpty ? 'empty' : 'full'][as]);
    await expectOutline(name, [`${status} ${$('head title').text()}`, outlineOf($, 'main')]);
  });

  it.each(['administrator', 'instructor', 'student', 'visitor'] as const)(
    'B998: what the %s has on every screen',
    async (as) => {
      const { $ } = await documentAt(as === 'visitor' ? '/login' : '/account', cookies.full[as]);
      $('main').remove();
      await expectOutline(`every screen of ${as}`, [outlineOf($, 'body')]);
    },
  );
});

/** But those that answer with archives and workbooks; the activity first, to which other exports add. */
const CALLS = API_CALLS.filter(({ method, file }) => method === 'get' && file === undefined)
  .map(({ path }) => path)
  .sort();

const KEYS: Record<string, (school: FullSchool) => number | string> = {
  '/api/imports/{id}': ({ importedFile }) => importedFile,
  '/api/imports/{id}/refused': ({ importedFile }) => importedFile,
  '/api/flight-logs/{id}': ({ flown }) => flown,
  '/api/aircraft/{id}': ({ free }) => free,
  '/api/squawks/{id}': ({ squawk }) => squawk,
  '/api/invitations/{key}': ({ token }) => token,
};

describe('what a call answers changes only where its record does', () => {
  it.each(CALLS)('B803: GET %s of a full school', async (path) => {
    const key = KEYS[path];
    expect(key === undefined, 'no key').toBe(!path.includes('{'));
    const answer = await handleRequest(
      getRequest(
        path.replace(/\{\w+\}/, () => String(key?.(full))),
        cookies.full.administrator,
      ),
    );
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    await expectOutline(path, [String(answer.status), isJson ? JSON.stringify(JSON.parse(text), null, 1) : text]);
  });
});

async function cookiesOfViewers({
  administrator,
  student,
  ...people
}: FullSchool | EmptySchool): Promise<Record<Viewer, string>> {
  return {
    administrator: await cookieOf(db, administrator),
    instructor: 'instructor' in people ? await cookieOf(db, people.instructor) : '',
    student: await cookieOf(db, student),
    visitor: '',
    'signing in': await pendingCookieOf(student),
  };
}

function expectOutline(name: string, lines: string[]): Promise<void> {
  const words = name.replace('*', 'not found').match(/\w+/g) ?? ['dashboard'];
  return expect(`${withoutChance(lines.join('\n'))}\n`).toMatchFileSnapshot(
    `screen-outlines/${words.join('-').toLowerCase()}.txt`,
  );
}

/** Without what each run draws anew. */
function withoutChance(outline: string): string {
  return outline
    .replaceAll(full.token, 'TOKEN')
    .replaceAll(/\b[\da-f]{64}\b/g, 'HASH')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID')
    .replaceAll(/-[\da-f]{8}\b/g, '-TAG')
    .replaceAll(/([A-Z2-7]{4} ){7}[A-Z2-7]{4}|(?<=secret=)\w+/g, 'SECRET');
}
