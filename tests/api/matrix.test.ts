import { describe, expect, it } from 'vitest';
import { makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { answerTo, cookieOf, ROUTES } from '#tests/support/ask.ts';
import { seed } from '#tests/support/drawn.ts';
import { apiRows } from '#tests/support/matrix/api-rows.ts';
import { cellsToTry } from '#tests/support/matrix/cells.ts';
import { matrixFixtures } from '#tests/support/matrix/fixtures.ts';
import { cellRunner } from '#tests/support/matrix/run-cell.ts';
import { MARKED } from '#tests/support/second-school/marker.ts';

const { db } = await testDatabase();
const API = apiRows(matrixFixtures(db));
const runCell = await cellRunner(db);

for (const cells of cellsToTry(API)) {
  it(`${cells[0]?.row.name} answers each role and each kind of id as it should (B284, B285, B321, C33, C59)`, async () => {
    for (const cell of cells) {
      for (const { id, answer, changed } of await runCell(cell)) {
        const body = String(answer.body);
        expect([answer.status, id], `${cell.title}: ${body}, SEED=${seed}`).toEqual([cell.expected, id]);
        expect(body, cell.title).not.toMatch(MARKED);
        if (cell.expected >= 400) {
          const type = cell.row.name === 'POST /api/invitations' ? 'application/json' : 'text/plain; charset=utf-8';
          expect(answer.headers.get('content-type'), cell.title).toBe(type);
          expect(body, cell.title).not.toBe('');
          expect(changed, cell.title).toEqual([]);
        } else if (cell.idKind === 'foreign' && !cell.row.name.endsWith('.xlsx')) {
          // Spreadsheets are opened in spreadsheets.test.ts.
          expect(body, cell.title).toMatch(/^(\[\]|id,[^\n]*\r\n|pilot,[^\n]*\r\nSum(,0(\.00)?)+,\r\n)$/);
        }
      }
    }
  });
}

/** Of the server rather than of a school, and what keeps the fields of a form. */
const OUTSIDE = [
  ...['/.well-known/security.txt', '/manifest.webmanifest', '/calendar/:id', '/healthz', '/readyz', '/login/passkey'],
  ...['/api', '/api/*', '/api/openapi.json', '/drafts', '/sw.js', '/unsent/keys', '/unsent/send'],
];

it('the permission matrix of the API leaves out no resource route (C33)', () => {
  const paths = ROUTES.filter(({ kind }) => kind === 'resource').map(({ path }) => path.replace(':key', ':id'));
  expect(new Set([...API.map(({ name }) => name.split(' ')[1]), ...OUTSIDE])).toEqual(new Set(paths));
});

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];
const methodsByPath = new Map<string, string[]>();
for (const { name } of API) {
  const [method = '', path = ''] = name.split(' ');
  methodsByPath.set(path, [...new Set([...(methodsByPath.get(path) ?? []), method])]);
}

describe('methods and paths that no call has (B272)', async () => {
  const cookie = await cookieOf(db, await makeUser(db, await makeSchool(db), 'administrator'));
  const answerAs = (method: string, path: string) =>
    answerTo(
      new Request(`http://localhost:3000${path}`, { method, headers: { cookie, origin: 'http://localhost:3000' } }),
    );

  it('a method that a path has not is 405, with those it has; an unknown path is 404 in plain text (B272)', async () => {
    for (const [path, methods] of methodsByPath) {
      for (const method of METHODS.filter((other) => !methods.includes(other))) {
        const answer = await answerAs(method, path.replace(':id', '1'));
        expect([path, method, answer.status, answer.body]).toEqual([path, method, 405, 'Method Not Allowed']);
        expect(answer.headers.get('allow')?.split(', ').sort(), path).toEqual(methods.toSorted());
      }
    }
    for (const method of METHODS.slice(0, 4)) {
      const answer = await answerAs(method, '/api/aircraft/1/owner');
      expect([answer.status, answer.body]).toEqual([404, 'Not Found']);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    }
  });
});
