import { expect, it } from 'vitest';
import { ROLES } from '#db/roles.ts';
import { testDatabase } from '#tests/support/database.ts';
import { cellsOf } from '#tests/support/matrix.ts';
import { matrixWorld } from '#tests/support/matrix-world.ts';
import { screenLines } from '#tests/support/matrix-screens.ts';
import { cookieOf, getRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const { play, ...world } = await matrixWorld(db);
const SCREENS = screenLines(world);

for (const cell of cellsOf(SCREENS)) {
  it(`B284 B321 C20 C33: ${cell.title}`, async () => {
    for (const { id, answer, changed } of await play(cell)) {
      const body = JSON.stringify(answer.body);
      expect([answer.status, id], body).toEqual([cell.expected, id]);
      expect(body).not.toMatch(/secret/i);
      if (cell.expected >= 400) expect(changed).toBe(false);
      if (cell.who === 'nobody' && !['GET /', 'GET /login', 'GET /auth', 'POST /logout'].includes(cell.line.name)) {
        expect(answer.headers.get('location')).toMatch(/^\/login\?to=%2F/);
      }
    }
  });
}

it.each([
  '/',
  '/airplanes',
  '/airplanes/add',
  '/users',
  '/users/add',
  '/ocr',
  '/ocr/history',
  '/flight-log',
  '/flight-logs',
  '/school-settings',
])('B001-B005 B008-B011 B013: signed in, %s answers 200 to every role', async (path) => {
  const schoolId = await makeSchool(db);
  for (const role of ROLES) {
    const cookie = await cookieOf(db, await makeUser(db, schoolId, role));
    expect((await answerTo(getRequest(path, cookie))).status).toBe(200);
  }
});
