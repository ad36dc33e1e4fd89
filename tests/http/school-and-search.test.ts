import { beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAt, textOf } from '#tests/support/documents.ts';
import { cookieOf, getRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

let admin: Member;
let student: Member;
beforeEach(async () => {
  const schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  student = await makeUser(db, schoolId);
  await makeAircraft(db, schoolId, { tail_number: 'N512FL' });
});

const PAGES = ['/school-settings', '/activity', '/users/invitations', '/school-settings/import'];
const MORE = ['/school-settings/export', '/school-settings/webhooks'];

describe('the school', () => {
  it('has one navigation on each of its pages, and a door in the main one and on the account (B1276)', async () => {
    const cookie = await cookieOf(db, admin);
    for (const path of ['/school', ...PAGES, ...MORE]) {
      const { $ } = await documentAt(path, cookie);
      const links = $('nav[aria-label="School"] a').toArray();
      expect(links.map((link) => $(link).attr('href'))).toEqual([...PAGES, ...MORE]);
      expect($('nav[aria-label="School"] [aria-current="page"]').attr('href')).toBe(
        path === '/school' ? undefined : path,
      );
      expect($('nav[aria-label="Main"] a[href="/school"]').length).toBe(1);
    }
    expect((await documentAt('/account', cookie)).$('main a[href="/school"]').length).toBe(1);
  });

  it('is for administrators alone (B1276)', async () => {
    const cookie = await cookieOf(db, student);
    const { status, $ } = await documentAt('/school', cookie);
    expect([status, textOf($('main'))]).toEqual([403, expect.stringContaining('Ask an administrator of your school')]);
    const settings = await documentAt('/school-settings', cookie);
    expect(settings.$('nav[aria-label="School"], a[href="/school"]').length).toBe(0);
  });
});

describe('the search', () => {
  const hits = async (q: string, who: Member) => {
    const { $ } = await documentAt(`/search?q=${encodeURIComponent(q)}`, await cookieOf(db, who));
    return $('.place-list li')
      .toArray()
      .map((hit) => `${textOf($(hit))} ${$(hit).find('a').attr('href')}`);
  };

  it('finds aircraft, people, screens and acts of the role on a page that needs no script (B1277, B1695)', async () => {
    expect(await hits('n512', student)).toEqual([expect.stringMatching(/^N512FL, .*Aircraft \/airplanes\/\d+$/)]);
    expect(await hits(student.username, admin)).toEqual([`${student.username} Person /users/${student.id}`]);
    expect(await hits('audit', admin)).toEqual(['Activity Screen /activity']);
    expect(await hits('audit', student)).toEqual([]);
    expect(await hits('check out', student)).toEqual(['Check Out Act /flight-log']);
    for (const [typed, href] of Object.entries({
      ...{ 'qr code': '/airplanes/qr', contract: '/api', squawk: '/airplanes', 'on behalf': '/line' },
      ...{ email: '/account/email', name: '/account/name', '2fa': '/account/second-factor' },
      ...{ passkey: '/account/passkey', token: '/account/token', 'a webhook': '/school-settings/webhooks/add' },
      'delete this': '/school-settings/delete',
    }))
      expect((await hits(typed, admin)).join('\n'), typed).toMatch(new RegExp(` (Screen|Act) ${href}$`, 'm'));
    expect(await hits('a webhook', student)).toEqual([]);
    expect(await hits('overdue', student)).toEqual(['Maintenance Screen /airplanes/maintenance']);
  });

  it('takes a character that no text has for a space, as the jump box does, and a draft has no such name (B1664)', async () => {
    const cookie = await cookieOf(db, student);
    for (const q of ['n512%00', '%00']) {
      expect((await documentAt(`/search?q=${q}`, cookie)).status).toBe(200);
      expect((await answerTo(getRequest(`/jump?q=${q}`, cookie))).status).toBe(200);
    }
    expect((await answerTo(getRequest('/drafts?form=/a%00%23b', cookie))).status).toBe(400);
  });

  it('is a GET form behind the magnifier of every page, and says what it looks for (B1277)', async () => {
    const { $ } = await documentAt('/search', await cookieOf(db, student));
    expect($('header form[action="/search"]').attr('method') ?? 'get').toBe('get');
    expect(textOf($('main .hint'))).toContain('A tail number');
    const none = await documentAt('/search?q=zzz', await cookieOf(db, student));
    expect(textOf(none.$('main'))).toContain('Nothing found.');
  });
});

it('the pages of 400 and 404 say what to do next (B1281)', async () => {
  const cookie = await cookieOf(db, student);
  const bad = await documentAt('/flight-logs?from=2026-99-99', cookie);
  expect([bad.status, bad.$('main a[href="/flight-logs"]').length]).toEqual([400, 1]);
  const gone = await documentAt('/hangar', cookie);
  expect([gone.status, gone.$('main a[href="/search"]').length]).toEqual([404, 1]);
});
