import { describe, expect, it } from 'vitest';
import { testDatabase } from '#tests/support/database.ts';
import { cellsOf } from '#tests/support/matrix.ts';
import { callLines } from '#tests/support/matrix-calls.ts';
import { matrixWorld } from '#tests/support/matrix-world.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const { play, ...world } = await matrixWorld(db);
const CALLS = callLines(world);

for (const cell of cellsOf(CALLS)) {
  it(`B284 B285 B321 C33 C59: ${cell.title}`, async () => {
    for (const { id, answer, changed } of await play(cell)) {
      const body = String(answer.body);
      expect([answer.status, id], body).toEqual([cell.expected, id]);
      expect(body).not.toMatch(/secret/i);
      if (cell.expected >= 400) {
        const told = cell.line.name === 'POST /api/invitations' ? 'application/json' : 'text/plain; charset=utf-8';
        expect(answer.headers.get('content-type')).toBe(told);
        expect(body).not.toBe('');
        expect(changed).toBe(false);
      } else if (cell.which === 'foreign') {
        expect(body).toMatch(/^(\[\]|id,[^\n]*\r\n)$/);
      }
    }
  });
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];
const methodsByPath = new Map<string, string[]>();
for (const { name } of CALLS) {
  const [method = '', path = ''] = name.split(' ');
  methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), method]);
}

describe('B272: a call that is none', async () => {
  const cookie = await cookieOf(db, await makeUser(db, await makeSchool(db), 'administrator'));
  const answerAs = (method: string, path: string) =>
    answerTo(
      new Request(`http://localhost:3000${path}`, { method, headers: { cookie, origin: 'http://localhost:3000' } }),
    );

  for (const [path, methods] of methodsByPath) {
    it(`B272: ${path} takes ${methods.join(', ')} and says so to any other method, with 405`, async () => {
      for (const method of METHODS.filter((other) => !methods.includes(other))) {
        const answer = await answerAs(method, path.replace(':id', '1'));
        expect([method, answer.status, answer.body]).toEqual([method, 405, 'Method Not Allowed']);
        expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(methods.toSorted());
      }
    });
  }

  it.each(['/api/no-such', '/api/aircraft/1/owner', '/api/flight-logs/1/2/3', '/api'])(
    'B272: %s is unknown: 404 in text, never a page',
    async (path) => {
      for (const method of METHODS.slice(0, 4)) {
        const answer = await answerAs(method, path);
        expect([answer.status, answer.body]).toEqual([404, 'Not Found']);
        expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      }
    },
  );
});
