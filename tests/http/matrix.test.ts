import { expect, it } from 'vitest';
import { ROLES } from '#db/roles.ts';
import { makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { answerTo, cookieOf, getRequest } from '#tests/support/ask.ts';
import { seed } from '#tests/support/drawn.ts';
import { cellsToTry } from '#tests/support/matrix/cells.ts';
import { matrixFixtures } from '#tests/support/matrix/fixtures.ts';
import { formRows } from '#tests/support/matrix/form-rows.ts';
import { pageRows } from '#tests/support/matrix/page-rows.ts';
import { cellRunner } from '#tests/support/matrix/run-cell.ts';
import { MARKED } from '#tests/support/second-school/marker.ts';

const { db } = await testDatabase();
const fixtures = matrixFixtures(db);
const PAGES = await pageRows(fixtures);
const runCell = await cellRunner(db);

/** What is answered to who is signed out, though it is no page of the sign-in. */
const PUBLIC = [
  ...['GET /', 'GET /login', 'GET /auth', 'GET /logout', 'GET /register', 'GET /reset-password'],
  ...['GET /forgot-password', 'GET /offline', 'GET /login/code', 'POST /logout'],
];

for (const cells of cellsToTry([...PAGES, ...formRows(fixtures)])) {
  it(`${cells[0]?.row.name} answers each role and each kind of id as it should (B284, B321, C20, C33)`, async () => {
    for (const cell of cells) {
      for (const { id, answer, changed } of await runCell(cell)) {
        const body = JSON.stringify(answer.body);
        expect([answer.status, id], `${cell.title}: ${body}, SEED=${seed}`).toEqual([cell.expected, id]);
        expect(body, cell.title).not.toMatch(MARKED);
        if (cell.expected >= 400) expect(changed, cell.title).toEqual([]);
        if (cell.caller === 'signed out' && !PUBLIC.includes(cell.row.name)) {
          expect(answer.headers.get('location'), cell.title).toMatch(/^\/login\?to=%2F/);
        }
      }
    }
  });
}

it('each main screen is 200 to every role; each page of a record has its row (B001-B005, B008-B011, B013, C33)', async () => {
  for (const { name, id } of PAGES) expect(id !== undefined, name).toBe(name.includes(':'));
  const schoolId = await makeSchool(db);
  for (const role of ROLES) {
    const cookie = await cookieOf(db, await makeUser(db, schoolId, role));
    for (const path of [
      ...['/', '/airplanes', '/airplanes/add', '/users', '/users/add', '/ocr', '/ocr/history', '/flight-log'],
      ...['/flight-logs', '/school-settings'],
    ])
      expect([path, (await answerTo(getRequest(path, cookie))).status]).toEqual([path, 200]);
  }
});
