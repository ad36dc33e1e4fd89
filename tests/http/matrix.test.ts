import { describe, expect, it } from 'vitest';
import { testDatabase } from '#tests/support/database.ts';
import { seed } from '#tests/support/drawn.ts';
import { cellsToTry } from '#tests/support/matrix/cells.ts';
import { matrixFixtures } from '#tests/support/matrix/fixtures.ts';
import { formRows } from '#tests/support/matrix/form-rows.ts';
import { pageRows } from '#tests/support/matrix/page-rows.ts';
import { cellRunner } from '#tests/support/matrix/run-cell.ts';
import { cookieOf, getRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { MARKED } from '#tests/support/second-school/marker.ts';

const { db } = await testDatabase();
const fixtures = matrixFixtures(db);
const PAGES = await pageRows(fixtures);
const runCell = await cellRunner(db);

/** What is answered to who is signed out, though it is no page of the sign-in. */
const PUBLIC = [
  'GET /',
  'GET /login',
  'GET /auth',
  'GET /logout',
  'GET /register',
  'GET /reset-password',
  'GET /forgot-password',
  'GET /offline',
  'GET /login/code',
  'POST /logout',
];

for (const cell of cellsToTry([...PAGES, ...formRows(fixtures)])) {
  it(`${cell.title} (B284, B321, C20, C33)`, async () => {
    for (const { id, answer, changed } of await runCell(cell)) {
      const body = JSON.stringify(answer.body);
      expect([answer.status, id], `${body}, SEED=${seed}`).toEqual([cell.expected, id]);
      expect(body).not.toMatch(MARKED);
      if (cell.expected >= 400) expect(changed).toEqual([]);
      if (cell.caller === 'signed out' && !PUBLIC.includes(cell.row.name)) {
        expect(answer.headers.get('location')).toMatch(/^\/login\?to=%2F/);
      }
    }
  });
}

describe('the permission matrix of pages', () => {
  it.each(PAGES)('$name has a row that makes the record its address names (C33)', ({ name, id }) => {
    expect(id !== undefined).toBe(name.includes(':'));
  });
});

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
])('%s answers 200 to administrators, instructors and students (B001-B005, B008-B011, B013)', async (path) => {
  const schoolId = await makeSchool(db);
  for (const role of ['administrator', 'instructor', 'student'] as const) {
    const cookie = await cookieOf(db, await makeUser(db, schoolId, role));
    expect((await answerTo(getRequest(path, cookie))).status).toBe(200);
  }
});
