import { beforeAll, expect, it } from 'vitest';
import { ROLES, type Role } from '#db/roles.ts';
import { makeAircraft, makeInvitation, makePeople, makeSchool, testDatabase } from '#tests/support/makers.ts';
import { documentAt, textsOf } from '#tests/support/pages.ts';
import { cookiesOf } from '#tests/support/requests.ts';
import { withoutColumn } from '#tests/support/faults.ts';

const { db } = await testDatabase();
let cookies: Record<Role, string>, link: string;

beforeAll(async () => {
  const schoolId = await makeSchool(db);
  const people = await makePeople(db, schoolId);
  await makeAircraft(db, schoolId);
  link = `/register?token=${(await makeInvitation(db, people.administrator)).token}`;
  cookies = await cookiesOf(db, people);
});

async function logoutButtons(path: string, cookie = ''): Promise<string[]> {
  const { $ } = await documentAt(path, cookie);
  return textsOf($, 'form[action="/logout"][method="post"] button');
}

it('every page has one Logout button for whoever is signed in, an invitation beside the reason (B030, B453, C29)', async () => {
  for (const path of [
    ...['/', '/airplanes', '/airplanes/add', '/users', '/users/add', '/users/invitations', '/school-settings', '/ocr'],
    ...['/ocr/history', '/flight-log', '/flight-logs', '/flight-logs/2147483647/close', '/no/such/page'],
  ])
    expect(await logoutButtons(path, cookies.administrator), path).toEqual(['Logout']);
  for (const role of ROLES) expect(await logoutButtons('/', cookies[role]), role).toEqual(['Logout']);
  expect(await logoutButtons('/users/add', cookies.student), 'forbidden').toEqual(['Logout']);
  for (const path of ['/', '/login', link]) expect(await logoutButtons(path), path).toEqual([]);
  expect(await logoutButtons('/', 'flightline=forged')).toEqual([]);
  const { $ } = await documentAt(link, cookies.student);
  expect([$('form[action="/logout"]').length, $('.notice form[action="/logout"]').length]).toEqual([1, 1]);
  await withoutColumn(db, 'aircraft', 'tail_number', async () => {
    expect(await logoutButtons('/airplanes', cookies.student)).toEqual(['Logout']);
  });
});
