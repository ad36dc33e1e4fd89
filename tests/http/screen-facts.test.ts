import { beforeEach, expect, it } from 'vitest';
import { ROLES, type Role } from '#db/roles.ts';
import type { NewRow } from '#db/tables.ts';
import { completed, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makePeople, makeSchool } from '#tests/support/school.ts';
import { documentAfter, documentAt, nightly, type ServedDocument, textOf } from '#tests/support/pages.ts';
import { fieldsOf, linksIn, textsOf } from '#tests/support/shown.ts';
import { answerTo, cookieOf, formRequest } from '#tests/support/ask.ts';
import { createLinkToken } from '#app/domain/link-tokens.server.ts';
import { env } from '#app/env.server.ts';
import { makePhoto, makeScan } from '#tests/support/scanned-photo.ts';

const { db } = await testDatabase();

const CASCADE = { name: 'Cascade', address: '1 Field Road', phone: '555 0100', time_zone: 'America/Los_Angeles' };

let schoolId: number, people: Record<Role, Member>, admin: Member;
beforeEach(async () => {
  schoolId = await makeSchool(db, CASCADE);
  people = await makePeople(db, schoolId);
  admin = people.administrator;
});

const page = async (path: string, as: Role = 'administrator') => documentAt(path, await cookieOf(db, people[as]));
const post = async (path: string, fields: Record<string, string>, as: Role) =>
  answerTo(formRequest(path, fields, await cookieOf(db, people[as])));
const fly = async (as: Role, columns: Omit<Partial<NewRow<'flight_logs'>>, 'school_id'> = {}) =>
  makeFlight(db, people[as], await makeAircraft(db, schoolId), columns);

it('a visitor is led to the login at both addresses; a wrong password is told once (B018, B019, B024, B025, B823)', async () => {
  const { $ } = await documentAt('/');
  expect([textOf($('h1')), linksIn($, 'main')]).toEqual([
    `Welcome to ${env.PRODUCT_NAME}`,
    expect.arrayContaining(['Login → /login']),
  ]);
  for (const path of ['/login', '/auth']) {
    const shown = await documentAt(path);
    expect([shown.status, textOf(shown.$('h1'))]).toEqual([200, env.PRODUCT_NAME]);
    expect(shown.$('main').text()).toContain("Log in to manage your flight school's operations");
    const refused = await documentAfter(path, { username: '', password: '' });
    expect(refused.$('main').text()).toContain('Username is required');
  }
  const { $: after } = await documentAfter('/login', { username: 'nobody', password: 'wrong' });
  expect(textOf(after('body')).split('Invalid username or password').length - 1).toBe(1);
  expect(after('[autofocus]').attr('name')).toBe('password');
});

it('a new password is hidden, and named to password managers as new (B111)', async () => {
  const { $ } = await page('/users/add');
  expect($('[name=password]').attr()).toMatchObject({ type: 'password', autocomplete: 'new-password' });
});

it('a refusal is a destructive toast titled Error, or a page with its code and words (B295, B297)', async () => {
  const plane = await makeAircraft(db, schoolId);
  await makeFlight(db, people.student, plane);
  const fields = { intent: 'delete-aircraft', aircraftId: String(plane) };
  const { $ } = await documentAfter('/airplanes?index', fields, await cookieOf(db, admin));
  const toast = $('[role=alert] .toast');
  expect(toast.attr('data-tone')).toBe('destructive');
  expect(toast.text()).toMatch(/Error.*This aircraft is checked out and cannot be deleted\./s);
  for (const [path, status, words] of [
    ['/flight-logs?aircraftId=N512FL', 400, '400: Invalid aircraft'],
    ['/ocr/1/save', 403, '403: Forbidden'],
  ] as const) {
    const refused = await page(path, 'student');
    expect([refused.status, textsOf(refused.$, 'main p')]).toEqual([status, expect.arrayContaining([words])]);
  }
});

it('each role completes an own flight alone; ends are above starts as decimals (B204, B205, B275, B277, C62)', async () => {
  for (const role of ROLES) {
    const id = await fly(role);
    const answer = await post(`/flight-log/${id}/post-check`, { endHobbsTime: '101.2', endTachTime: '91.0' }, role);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect((await page('/flight-logs', role)).$('main').text()).toContain('Completed');
    const others = await fly(role === 'student' ? 'instructor' : 'student');
    expect((await page(`/flight-log/${others}/post-check`, role)).status).toBe(403);
    await db.deleteFrom('flight_logs').where('id', '=', others).execute();
  }
  const path = `/flight-log/${await fly('student', { start_hobbs: '999.9', start_tach: '1234.10' })}/post-check`;
  const send = async (endHobbsTime: string, endTachTime: string) => {
    const { status, body } = await post(path, { endHobbsTime, endTachTime }, 'student');
    return [status, JSON.stringify(body).match(/End (?:Hobbs|Tach) time must be greater/g)?.length ?? 0];
  };
  expect(await send('999.90', '1234.1')).toEqual([400, 2]);
  expect(await send('1000.0', '987.6')).toEqual([400, 1]);
  expect((await send('1000.0', '1234.11'))[0]).toBe(303);
});

it('the form of a past flight keeps what was typed and chosen, and says what is odd of it (B897)', async () => {
  const plane = await makeAircraft(db, schoolId, {
    ...{ last_hobbs: '1235.8', last_tach: '988.7', created_at: new Date('2020-01-01') },
  });
  const flown = { ...completed('2026-05-11T10:00Z', '2026-05-11T11:00Z'), end_hobbs: '1235.8', end_tach: '988.7' };
  await makeFlight(db, people.student, plane, { ...flown, completed_by: people.student.id });
  const typed = {
    ...{ aircraftId: String(plane), pilotId: String(people.student.id), reason: 'The tablet was empty' },
    ...{ departedAt: '2026-05-12T10:00', landedAt: '2026-05-12T11:00' },
    ...{ startHobbsTime: '1234.8', endHobbsTime: '1236.8', startTachTime: '988.7', endTachTime: '989.6' },
  };
  const { $, status } = await documentAfter('/flight-logs/new', typed, await cookieOf(db, admin));
  expect([status, $('main').text()]).toEqual([400, expect.stringContaining('Lower than the last recorded reading')]);
  expect(fieldsOf($, 'main form')).toMatchObject(typed);
});

it('a password link names its user; who is signed in is told to log out first (C29, C38)', async () => {
  const { token, hash } = createLinkToken();
  const link = {
    school_id: schoolId,
    user_id: admin.id,
    token_hash: hash,
    expires_at: new Date(Date.now() + 60_000),
  };
  await db.insertInto('password_links').values(link).execute();
  const path = `/reset-password?token=${token}`;
  expect(textOf((await documentAt(path)).$('.screen-header .subtitle'))).toBe(
    `For ${admin.username}. You will be signed out wherever you are signed in.`,
  );
  const { $ } = await page(path);
  expect(textOf($('.notice > div'))).toBe(`You are signed in as ${admin.username}`);
  expect(textOf($('.notice form[action="/logout"] button'))).toBe('Logout');
  expect(textOf($('main'))).toContain('Log out first, then open the link again.');
});

it('where there is nothing yet a list says so, how to begin or who does it (B082, B130, B145, B224, B329, B1636)', async () => {
  for (const [path, text, ...next] of [
    ['/airplanes', 'No aircraft found. Add your first aircraft to get started.'],
    ['/users/invitations', 'No pending invitations'],
    ['/ocr/history', 'No scan history yet. Start by scanning an aircraft meter.', 'Scan Meter → /ocr'],
    ['/flight-log', 'No aircraft available at your flight school', 'Add New Aircraft → /airplanes/add', 'Back → /'],
    [
      '/flight-logs',
      'No flights yet. Check out an aircraft, and its flight is listed here.',
      'Check Out → /flight-log',
    ],
  ] as const) {
    const { $ } = await page(path);
    expect([path, textsOf($, '.empty-state p'), linksIn($, '.empty-state')]).toEqual([path, [text], next]);
  }
  const add = /^(Add New Aircraft|Add the first one) → \/airplanes\/add$/;
  const words = 'An administrator of your school adds aircraft.';
  for (const path of ['/', '/line', '/airplanes', '/ocr', '/flight-log', '/flight-log/offline', '/flight-logs/new']) {
    const { $ } = await page(path);
    expect([path, linksIn($, 'main').filter((link) => add.test(link)).length]).toEqual([path, path === '/' ? 2 : 1]);
    expect(textOf($('main'))).not.toContain(words);
    if (path === '/flight-logs/new') continue;
    const shown = (await page(path, 'student')).$;
    expect(textOf(shown('main')).split(words).length - 1, path).toBe(1);
    expect(linksIn(shown, 'main').filter((link) => add.test(link))).toEqual([]);
  }
});

it('settings are facts for who may not change them, and the time zone is readable (B133, C30, C41)', async () => {
  const form = await page('/school-settings');
  expect(textOf(form.$('[name=timeZone] option[selected]'))).toBe('America/Los Angeles');
  expect(textOf(form.$('[name=activityKeptDays] option[selected]'))).toBe('2 years');
  const { $ } = await page('/school-settings', 'student');
  expect(textsOf($, 'dt').map((term, at) => `${term}: ${textOf($('dd').eq(at))}`)).toEqual([
    ...['School Name: Cascade', 'Address: 1 Field Road', 'Phone Number: 555 0100'],
    'Time Zone: America/Los Angeles',
  ]);
});

const badgesOn = ({ $ }: ServedDocument, badges: string) =>
  $(badges)
    .toArray()
    .map((badge) => [textOf($(badge)), $(badge).attr('data-tone')]);

const notesOn = ({ $ }: ServedDocument) => textsOf($, '.inline-note').filter(Boolean);

it('a scan stands beside its photo, with what is in doubt of it, to be saved (B117, B170, B310, B676, B678, C46)', async () => {
  const [sure, doubtful] = [
    { figure: '1', confidence: '0.99', other: null },
    { figure: '4', confidence: '0.52', other: '3' },
  ];
  const figures = JSON.stringify([sure, sure, doubtful]);
  const other = { other_text: '24448.3', other_kind: 'other counter' as const };
  const { id, aircraftId, photo } = await scanOf({ figures, ...other, confidence: '0.79' });
  const shown = await page(`/ocr?aircraftId=${aircraftId}&scan=${id}`);
  const { $ } = shown;
  expect($('[name="aircraftId"] option[selected]').attr('value')).toBe(String(aircraftId));
  expect(textOf($('.scan-result .reading'))).toBe('1234.5');
  expect($('.reading-tenths').text()).toBe('5');
  const pictures = $('.scan-result img').toArray();
  expect(pictures.map((image) => [$(image).attr('alt'), $(image).attr('src')])).toEqual([
    ['Hobbs Meter as scanned', `/photos/${photo}`],
    ['Counter of the Hobbs Meter as it was read', `/photos/${photo}`],
  ]);
  expect(badgesOn(shown, '.badge')).toEqual([['Medium (79%)', 'medium']]);
  const notes = ['The last drum stands between 3 and 4.', 'Reads 1234.5; 24448.3 is in the photo too.'];
  expect(notesOn(shown)).toEqual([notes.join(' ')]);
  const marks = $('.meter-crop rect').toArray();
  expect(marks.map(({ attribs }) => Math.round(Number(attribs.x)))).toEqual([188]);
  expect($('#save-reading').attr('action')).toBe(`/ocr/${id}/save`);
  expect($('.screen-header a').attr('href')).toBe('/ocr/history');
  expect((await page(`/ocr?scan=${id}`, 'student')).$('#save-reading').length).toBe(0);
  const history = await page('/ocr/history');
  expect(textsOf(history.$, '.card .hint')).toEqual(notes);
  expect(history.$('.card .meter-crop rect').length).toBe(1);
  const low = await scanOf({ confidence: '0.49' });
  const plain = await page(`/ocr?scan=${low.id}`);
  expect(badgesOn(plain, '.badge')).toEqual([['Low (49%)', 'low']]);
  expect(textOf(plain.$('#save-reading'))).toBe('Save 1234.5 as last Hobbs');
});

nightly('a lower reading asks administrators for a reason, instructors to leave it (C06, C46)', async () => {
  const { id } = await scanOf({}, { last_hobbs: '2000.0' });
  const boss = await page(`/ocr?scan=${id}`);
  expect(notesOn(boss)).toEqual(['Lower than the last recorded reading (2000.0).']);
  expect(textOf(boss.$('#save-reading label'))).toBe('Reason');
  const { $ } = await page(`/ocr/${id}/save`, 'instructor');
  expect(textOf($('.card .hint'))).toBe('Only an administrator can save it as the last reading.');
  expect($('#save-reading').length).toBe(0);
  const grounded = { maintenance_since: new Date() };
  await db.updateTable('aircraft').set(grounded).where('school_id', '=', schoolId).execute();
  const notice = textOf((await page(`/ocr/${id}/save`)).$('.notice'));
  expect(notice).toBe('This reading cannot be saved as the last one now.');
});

async function scanOf(columns: Partial<NewRow<'scans'>>, ofAircraft: Partial<NewRow<'aircraft'>> = {}) {
  const photo = await makePhoto(db, admin);
  const aircraftId = await makeAircraft(db, schoolId, ofAircraft);
  const id = await makeScan(db, admin, aircraftId, { photo_id: photo, crop_id: photo, ...columns });
  return { id, aircraftId, photo };
}
