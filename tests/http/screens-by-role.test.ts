import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { ROLES, type Role } from '#db/roles.ts';
import { completed, makeFlight, makeInvitation, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makePeople, makeSchool, makeUser } from '#tests/support/school.ts';
import { documentAfter, documentAt, nightly, type ServedDocument, textOf } from '#tests/support/pages.ts';
import { fieldsOf, linksIn, textsOf } from '#tests/support/shown.ts';
import { answerTo, cookieOf, cookiesOf, getRequest } from '#tests/support/ask.ts';
import { env } from '#app/env.server.ts';

const { db } = await testDatabase();
const OTHERS = ['instructor', 'student'] as const;

let schoolId: number, people: Record<Role, Member>, admin: Member, cookies: Record<Role, string>;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  people = await makePeople(db, schoolId);
  admin = people.administrator;
  cookies = await cookiesOf(db, people);
});
const page = (path: string, as: Role = 'administrator') => documentAt(path, cookies[as]);

it('each role has its badge and the screens it may use (B001, B028, B029, B033, B046-B052, B279, B281)', async () => {
  const everybody = ['Check Out → /flight-log', 'View Flight History → /flight-logs'];
  const management = [
    ...['View Aircraft Fleet → /airplanes', 'Add New Aircraft → /airplanes/add', 'Manage Users → /users'],
    ...['Invite New User → /users/invitations', 'Manage School Settings → /school-settings'],
  ];
  for (const [role, words, tone] of [
    ['administrator', 'Administrator', 'default'],
    ['instructor', 'Instructor', 'secondary'],
    ['student', 'Student', 'outline'],
  ] as const) {
    const shown = await page('/', role);
    const badge = shown.$('main [data-tone]').first();
    expect([textOf(badge), badge.attr('data-tone')]).toEqual([words, tone]);
    const links = linksIn(shown.$, 'main');
    if (role === 'administrator') expect(links).toEqual(expect.arrayContaining([...everybody, ...management]));
    else expect(links).toEqual(everybody);
    expect(textOf(shown.$('form[action="/logout"] button'))).toBe('Logout');
  }
});

it('in flight a notice stands for Check Out, and a card leads on (B032, B038, B039, B041-B043, B156, B276, C08)', async () => {
  const ways: Partial<Record<Role, string[]>> = {};
  for (const role of ROLES) {
    const aircraftId = String(await makeAircraft(db, schoolId, { tail_number: `N${role.toUpperCase()}` }));
    const fields = { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0' };
    expect((await documentAfter('/flight-log?step=2', fields, cookies[role])).status).toBe(303);
    const { $ } = await page('/', role);
    const [tail, details, complete] = linksIn($, 'section[aria-labelledby="open-flights"]');
    const id = /(\d+)$/.exec(details ?? '')?.[1];
    expect([tail, details]).toEqual([
      `N${role.toUpperCase()} → /airplanes/${aircraftId}`,
      expect.stringContaining('/flight-logs/'),
    ]);
    expect(complete).toBe(`Complete Post-Flight Check → /flight-log/${id}/post-check`);
    ways[role] = [String(complete), `Close on behalf → /flight-logs/${id}/close`];
    expect($('main').text()).toContain(
      'You have an active flight in progress. Please complete your current flight before starting a new one.',
    );
    expect(linksIn($, 'main')).not.toContain('Check Out → /flight-log');
    const card = $('section[aria-labelledby="open-flights"]').text();
    for (const text of ['Cessna 172S', 'In Progress', 'Started']) expect(card).toContain(text);
  }
  const instructors = Number(/(\d+)\/close$/.exec(String(ways.instructor?.[1]))?.[1]);
  await sql`update flight_logs set created_at = created_at - interval '5 hours' where id = ${instructors}`.execute(db);
  for (const role of ROLES) {
    const { $ } = await page('/', role);
    const offered = linksIn($, 'section[aria-labelledby="open-flights"]').filter((link) => /^C/.test(link));
    const others = role === 'administrator' ? [ways.instructor?.[1]] : [];
    expect(offered.toSorted()).toEqual([ways[role]?.[0], ...others].toSorted());
    const title = role === 'administrator' ? 'All Open Flights' : 'Your Open Flights';
    expect(textOf($('section[aria-labelledby="open-flights"] h2'))).toBe(title);
  }
});

it('a card says if and how long it is out, and with whom to pilot and administrators (B086-B088, B822, C05, C79)', async () => {
  const cardOf = async (tailNumber: string, role: Role = 'student') => {
    const { $ } = await page('/airplanes', role);
    const card = $('.card').filter((_, one) => textOf($(one).find('h2')) === tailNumber);
    const out = textsOf($, card.find('.aircraft-out p')).find((text) => text.includes('out 0 min')) ?? '';
    return [textsOf($, card.find('.hint')), linksIn($, card.find('.card-footer')), out];
  };
  const free = await makeAircraft(db, schoolId, { tail_number: 'N1' });
  await makeAircraft(db, schoolId, { tail_number: 'N2', maintenance_since: new Date() });
  const own = await makeFlight(db, people.student, await makeAircraft(db, schoolId, { tail_number: 'N3' }));
  const grounded = await makeAircraft(db, schoolId, { tail_number: 'N4', maintenance_since: new Date() });
  const flight = await makeFlight(db, people.instructor, grounded);
  expect(await cardOf('N1')).toEqual([[], [`Update Meters → /ocr?aircraftId=${free}`], '']);
  expect(await cardOf('N2')).toEqual([['Aircraft unavailable'], [], '']);
  const ownOut = [[`out 0 min → /flight-logs/${own}`], `${people.student.username} out 0 min`];
  expect(await cardOf('N3')).toEqual([['Currently in use'], ...ownOut]);
  const hints = ['Currently in use', 'Maintenance on return'];
  expect(await cardOf('N4')).toEqual([hints, [`out 0 min → /flight-logs/${flight}`], 'out 0 min']);
  for (const role of ['administrator', 'instructor'] as const)
    expect((await cardOf('N4', role))[2]).toBe(`${people.instructor.username} out 0 min`);
});

it('others than administrators manage neither aircraft nor people (B080, B106, B108, B280, B403, C31)', async () => {
  await makeAircraft(db, schoolId);
  for (const role of OTHERS) {
    const { $ } = await page('/airplanes', role);
    expect($('main').find('details, form').length).toBe(0);
    const links = ['Maintenance → /airplanes/maintenance', 'QR Codes → /airplanes/qr'];
    expect(linksIn($, '.screen-header')).toEqual(links);
    expect((await page('/users', role)).$('main').find('.button, li a, form').length).toBe(0);
  }
});

it('who is in flight has a badge for administrators; others see only their own (B821, C79)', async () => {
  await makeFlight(db, people.student, await makeAircraft(db, schoolId));
  const badge = [[`user-${people.student.id}`, 'In flight']];
  for (const [role, seen] of [
    ['administrator', badge],
    ['student', badge],
    ['instructor', []],
  ] as const) {
    const { $ } = await page('/users', role);
    const badges = $('[data-tone="in-progress"]').toArray();
    expect(badges.map((one) => [$(one).closest('li').attr('id'), textOf($(one))])).toEqual(seen);
  }
});

it('an invitation names who, by whom and when, and can be sent again once it has expired (C22, C23, B223)', async () => {
  const dates = { created_at: new Date('2026-05-12T10:00Z'), expires_at: new Date(0) };
  const { id, email } = await makeInvitation(db, admin, dates);
  const { $ } = await page('/users/invitations');
  const row = $('.list-rows li');
  expect(textOf(row.find('.hint'))).toBe(`Zoë Invited, invited by ${admin.username}, sent 12 May 2026`);
  expect(textOf(row.find('button[value="resend-invitation"]'))).toBe(`Send again the invitation for ${email}`);
  expect(row.find('[name="invitationId"]').attr('value')).toBe(String(id));
});

it("only administrators export, and only flights; cancelled check-outs have no 'Export CSV' (B180, B278, C09)", async () => {
  const id = await makeAircraft(db, schoolId);
  const exports = async (search: string, role?: Role) =>
    linksIn((await page(`/flight-logs${search}`, role)).$, '.screen-header');
  expect(await exports('')).toEqual(['Export CSV → /api/flight-logs/export']);
  const ofAircraft = [`Export CSV → /api/flight-logs/export?aircraftId=${id}`];
  expect(await exports(`?aircraftId=${id}`)).toEqual(ofAircraft);
  expect(await exports('?show=cancelled')).toEqual([]);
  for (const role of OTHERS) expect(await exports('', role)).toEqual([]);
});

it('of a flight each role is offered what it may do while it is open, and once it is over (C08-C11, C77, C81)', async () => {
  const aircraftId = await makeAircraft(db, schoolId);
  const landed = { ...completed('2026-05-12T10:00Z', '2026-05-12T11:00Z'), completed_by: people.student.id };
  for (const [role, columns, offered] of [
    ['instructor', landed, ['Report a Squawk']],
    ['student', {}, ['Complete Post-Flight Check', 'Correct flight', 'Cancel check-out', 'Report a Squawk']],
    [
      'administrator',
      {},
      ['Close on behalf', 'Correct flight', 'Cancel check-out', 'Report a Squawk', 'Set to Maintenance'],
    ],
  ] as const) {
    await db.deleteFrom('flight_logs').where('school_id', '=', schoolId).execute();
    const id = await makeFlight(db, people.student, aircraftId, columns);
    const { $ } = await page(`/flight-logs?log=${id}`, role);
    expect(textsOf($, $('dialog > .card-footer').find('a, button'))).toEqual(['Page to print', ...offered]);
    const ways = [
      ...[`Close on behalf → /flight-logs/${id}/close`, `Cancel check-out → /flight-logs/${id}/cancel`],
      ...[`Complete Post-Flight Check → /flight-log/${id}/post-check`, `Correct flight → /flight-logs/${id}/correct`],
      ...[`Report a Squawk → /airplanes/${aircraftId}/squawks/add`, `Page to print → /flight-logs/${id}`],
    ];
    for (const link of linksIn($, 'dialog > .card-footer')) expect(ways).toContain(link);
  }
});

nightly('an address that names no flight answers 404, and still lists the flights (B266)', async () => {
  const shown = await page('/flight-logs?log=2147483647');
  expect([shown.status, textOf(shown.$('.notice')), shown.$('h1').length]).toEqual([404, 'Flight log not found', 1]);
});

it('every document has language, width, colours and skip link; its scripts its own nonce, none is kept (B330, C28)', async () => {
  const { $, headers } = await page('/users');
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect($.html()).toMatch(/^<!DOCTYPE html><html lang="en"[ >]/);
  expect($('meta[name="viewport"]').attr('content')).toBe('width=device-width, initial-scale=1');
  expect($('meta[name="color-scheme"]').attr('content')).toBe('light dark');
  const first = $('body').find('a, button, input').first();
  expect([textOf(first), first.attr('href')]).toEqual(['Skip to main content', '#main']);
  expect([$('main').length, $('main').attr('id')]).toEqual([1, 'main']);
  expect([$('main').attr('tabindex'), $('h1').attr('tabindex')]).toEqual(['-1', '-1']);
  expect([textOf($('header a').first()), $('header a').attr('href')]).toEqual([env.PRODUCT_NAME, '/']);
  expect($('header svg').attr('aria-hidden')).toBe('true');
  const [one, other] = [await page('/users'), await page('/users')];
  const nonceOf = ({ headers }: ServedDocument) =>
    /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1];
  expect(nonceOf(one)).toMatch(/^[\w+/]{22}==$/);
  expect(nonceOf(other)).not.toBe(nonceOf(one));
  const nonces = one.$('script').map((_, script) => one.$(script).attr('nonce') ?? 'none');
  expect(nonces.length).toBeGreaterThan(2);
  expect(new Set(nonces.get())).toEqual(new Set([nonceOf(one)]));
});

it('who may delete is asked first, in a named dialog above the title, Cancel first (B092, B109, B225, C71)', async () => {
  const stranger = await cookieOf(db, await makeUser(db, await makeSchool(db), 'administrator'));
  const ofInvitation =
    /^Are you sure you want to delete the invitation for \S+@invited\.example\? This action cannot be undone\.$/;
  for (const [what, id, question, back, action] of [
    [
      'aircraft',
      await makeAircraft(db, schoolId),
      'Are you sure you want to delete this aircraft? This action cannot be undone.',
      '/airplanes',
      '/airplanes?index',
    ],
    ['user', (await makeUser(db, schoolId)).id, 'Are you sure you want to delete this user?', '/users', '/users?index'],
    ['invitation', (await makeInvitation(db, admin)).id, ofInvitation, '/users/invitations', ''],
  ] as const) {
    const address = `${back}?confirm=delete-${what}:${id}`;
    const askedAt = async (asked: string, cookie = cookies.administrator) => [
      (await documentAt(asked, cookie)).$('main dialog').length,
      Object((await answerTo(getRequest(asked, cookie))).body).toDelete ?? null,
    ];
    for (const none of [0, '999999999999999999', 'x', '', what === 'user' ? admin.id : 0])
      expect(await askedAt(`${back}?confirm=delete-${what}:${none}`), what).toEqual([0, null]);
    for (const cookie of [cookies.instructor, cookies.student, stranger])
      expect(await askedAt(address, cookie), what).toEqual([0, null]);
    const { $ } = await page(address);
    const dialog = $('main dialog');
    expect([dialog.attr('role'), dialog.is('[open]')]).toEqual(['alertdialog', true]);
    expect(textOf($(`[id="${dialog.attr('aria-labelledby')}"]`))).toMatch(/^Delete /);
    expect(textOf($(`[id="${dialog.attr('aria-describedby')}"]`))).toMatch(question);
    expect($('dialog, h1').first().is('dialog')).toBe(true);
    const cancel = dialog.find('a, button').first();
    expect([textOf(cancel), cancel.attr('href'), cancel.is('[autofocus]')]).toEqual(['Cancel', back, true]);
    expect(dialog.find('form').attr('action')).toBe(action || address);
    expect(fieldsOf($, dialog.find('form'))).toMatchObject({
      ...{ intent: `delete-${what}`, [`${what}Id`]: String(id) },
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    });
  }
});
