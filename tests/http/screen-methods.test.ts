import { beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '#tests/support/database.ts';
import { documentAfter, textOf } from '#tests/support/documents.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { actionPaths, answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const ORIGIN = 'http://localhost:3000';

let schoolId: number;
let cookie: string;
beforeAll(async () => {
  schoolId = await makeSchool(db);
  cookie = await cookieOf(db, await makeUser(db, schoolId, 'administrator'));
});

const send = (method: string, path: string, fields: Record<string, string> = {}) =>
  answerTo(
    new Request(ORIGIN + path, { method, headers: { cookie, origin: ORIGIN }, body: new URLSearchParams(fields) }),
  );

describe('a screen', () => {
  it('takes a form by POST, and by no other method (C74)', async () => {
    for (const route of actionPaths) {
      const answer = await send('PUT', route.replace(/:\w+/g, '1').replace('*', 'nowhere'));
      expect(answer, route).toMatchObject({ status: 405, body: 'Method Not Allowed' });
    }
  });

  it('a screen without a form says that it takes none, in words for people (C74)', async () => {
    const { status, $ } = await documentAfter('/line', {}, cookie);
    expect([status, textOf($('main h1 ~ p, .screen > p').first())]).toEqual([405, '405: Method Not Allowed']);
  });

  it('a form that is put or deleted to a screen changes nothing (C74)', async () => {
    const aircraftId = String(await makeAircraft(db, schoolId));
    const rows = () =>
      Promise.all([
        db.selectFrom('aircraft').select(['id', 'maintenance_since']).where('school_id', '=', schoolId).execute(),
        db.selectFrom('sessions').select(['id', 'revoked_at']).execute(),
      ]);
    const before = await rows();
    for (const method of ['PUT', 'DELETE']) {
      await send(method, '/airplanes?index', { intent: 'delete-aircraft', aircraftId });
      await send(method, '/airplanes?index', { intent: 'set-maintenance', aircraftId });
      await send(method, '/airplanes/add', { tailNumber: 'N405', make: 'Cessna', model: '172S', year: '2004' });
      await send(method, '/logout');
    }
    expect(await rows()).toEqual(before);
  });
});
