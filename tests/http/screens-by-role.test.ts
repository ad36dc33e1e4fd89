import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import type { NewRow } from '#db/tables.ts';
import type { Member } from '#app/domain/actor.ts';
import { createLinkToken } from '#app/domain/link-tokens.server.ts';
import { env } from '#app/env.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAfter, documentAt, type ServedDocument, textOf } from '#tests/support/documents.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { cookiesOf } from '#tests/support/requests.ts';
import { makeAircraft, makePeople, makeSchool, makeUser } from '#tests/support/school.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();
const ROLES = ['administrator', 'instructor', 'student'] as const satisfies Role[];
const landed = (hoursAgo: number) => {
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  return completed(at(hoursAgo + 1), at(hoursAgo));
};

const CASCADE = { name: 'Cascade', address: '1 Field Road', phone: '555 0100', time_zone: 'America/Los_Angeles' };

let schoolId: number;
let people: Record<Role, Member>;
let admin: Member;
let cookies: Record<Role, string>;
beforeEach(async () => {
  schoolId = await makeSchool(db, CASCADE);
  people = await makePeople(db, schoolId);
  admin = people.administrator;
  cookies = await cookiesOf(db, people);
});
const page = (path: string, as: string = cookies.administrator) => documentAt(path, as);

describe('the dashboard', () => {
  const everybody = ['Check Out → /flight-log', 'View Flight History → /flight-logs'];
  it.each([
    [
      'administrator',
      [
        'Check Out → /flight-log',
        'Manage School Settings → /school-settings',
        'View Flight History → /flight-logs',
        'View Aircraft Fleet → /airplanes',
        'Add New Aircraft → /airplanes/add',
        'Manage Users → /users',
        'Invite New User → /users/invitations',
      ],
    ],
    ['student', everybody],
  ] as const)('the role %s is led to the screens it may use (B033, B046-B052, B279, B281)', async (role, links) => {
    const { $ } = await documentAt('/', cookies[role]);
    // Administrators are led to every new screen too.
    expect(linksIn($('main'))).toEqual(role === 'administrator' ? expect.arrayContaining([...links]) : links);
    expect(textOf($('form[action="/logout"] button'))).toBe('Logout');
  });

  it.each(ROLES)('the role %s is led to complete the own flight, and to its page (B042, B276)', async (role) => {
    const aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N1' });
    const id = await makeFlight(db, people[role], aircraftId);
    const { $ } = await documentAt('/', cookies[role]);
    expect(textOf($('section[aria-labelledby="open-flights"] h2'))).toBe(
      role === 'administrator' ? 'All Open Flights' : 'Your Open Flights',
    );
    expect(linksIn($('section[aria-labelledby="open-flights"]'))).toEqual([
      `N1 → /airplanes/${aircraftId}`,
      expect.stringContaining(` → /flight-logs/${id}`),
      `Complete Post-Flight Check → /flight-log/${id}/post-check`,
    ]);
  });

  it("an administrator is led to close another's flight, never to complete it (B043, C08)", async () => {
    const aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N1' });
    const id = await makeFlight(db, people.student, aircraftId);
    const { $ } = await documentAt('/', cookies.administrator);
    expect(linksIn($('section[aria-labelledby="open-flights"]'))).toEqual([
      `N1 → /airplanes/${aircraftId}`,
      expect.stringContaining(` → /flight-logs/${id}`),
      `Close on behalf → /flight-logs/${id}/close`,
    ]);
    expect((await documentAt('/', cookies.instructor)).$('section[aria-labelledby="open-flights"]').length).toBe(0);
  });
});

describe('the fleet', () => {
  const cardOf = async (role: Role, tailNumber: string) => {
    const { $ } = await documentAt('/airplanes', cookies[role]);
    const card = $('.card').filter((_, one) => textOf($(one).find('h2')) === tailNumber);
    return {
      $,
      card,
      hints: card
        .find('.hint')
        .toArray()
        .map((hint) => textOf($(hint))),
      links: linksIn(card.find('.card-footer')),
    };
  };

  it('a card says whether the aircraft can be had, and that it is grounded on return (B086-B088, C05)', async () => {
    const free = await makeAircraft(db, schoolId, { tail_number: 'N1' });
    await makeAircraft(db, schoolId, { tail_number: 'N2', maintenance_since: new Date() });
    const own = await makeFlight(db, people.student, await makeAircraft(db, schoolId, { tail_number: 'N3' }));
    const grounded = await makeAircraft(db, schoolId, { tail_number: 'N4', maintenance_since: new Date() });
    const flight = await makeFlight(db, people.instructor, grounded);
    expect(await cardOf('student', 'N1')).toMatchObject({
      hints: [],
      links: [`Update Meters → /ocr?aircraftId=${free}`],
    });
    expect(await cardOf('student', 'N2')).toMatchObject({ hints: ['Aircraft unavailable'], links: [] });
    const ownCard = await cardOf('student', 'N3');
    expect(ownCard).toMatchObject({
      hints: ['Currently in use'],
      links: [`out 0 min → /flight-logs/${own}`],
    });
    expect(textOf(ownCard.card.find('.aircraft-out'))).toContain(people.student.username);
    expect(await cardOf('student', 'N4')).toMatchObject({
      hints: ['Currently in use', 'Maintenance on return'],
      links: [`out 0 min → /flight-logs/${flight}`],
    });
  });

  it('the fleet says how long an aircraft is out, and with whom only to administrators and the pilot (B822, C79)', async () => {
    await makeFlight(db, people.instructor, await makeAircraft(db, schoolId, { tail_number: 'N1' }));
    const out = async (role: Role) => textOf((await cardOf(role, 'N1')).card.find('.aircraft-out p').last());
    expect(await out('student')).toBe('out 0 min');
    for (const role of ['administrator', 'instructor'] as const)
      expect(await out(role)).toBe(`${people.instructor.username} out 0 min`);
  });

  it('administrators get the menu and the way to add; others neither (B080, B089, B280)', async () => {
    const id = await makeAircraft(db, schoolId, { tail_number: 'N1' });
    const { $, card } = await cardOf('administrator', 'N1');
    expect(textOf(card.find('summary'))).toBe('Actions for N1');
    const forms = card
      .find('details form')
      .toArray()
      .map((form) => [
        textOf($(form)),
        $(form).attr('action'),
        $(form).find('button').attr('value'),
        $(form).find('[name="aircraftId"]').attr('value'),
      ]);
    expect(forms).toEqual([
      ['Set to Maintenance', '/airplanes?index', 'set-maintenance', String(id)],
      ['Mark as Available', '/airplanes?index', 'mark-available', String(id)],
    ]);
    expect(linksIn(card.find('details'))).toEqual([`Delete aircraft → /airplanes?confirm=delete-aircraft:${id}`]);
    expect(linksIn($('.screen-header'))).toEqual([
      'Add New Aircraft → /airplanes/add',
      'Maintenance → /airplanes/maintenance',
      'QR Codes → /airplanes/qr',
    ]);
    for (const role of ['instructor', 'student'] as const) {
      const others = await cardOf(role, 'N1');
      expect(others.$('main').find('details, form').length).toBe(0);
      expect(linksIn(others.$('.screen-header'))).toEqual([
        'Maintenance → /airplanes/maintenance',
        'QR Codes → /airplanes/qr',
      ]);
    }
  });
});

describe('users and invitations', () => {
  it('administrators manage everybody but themselves; others manage nobody (B106, B108, B403, C31)', async () => {
    const { student, administrator } = people;
    const { $ } = await documentAt('/users', cookies.administrator);
    const card = (user: Member) => $(`#user-${user.id}`);
    const itself = ({ username, id }: Member) => `${username} → /users/${id}`;
    expect(linksIn(card(student))).toEqual([
      itself(student),
      `Edit ${student.username} → /users/${student.id}`,
      `Delete ${student.username} → /users?confirm=delete-user:${student.id}`,
    ]);
    expect(linksIn(card(administrator))).toEqual([
      itself(administrator),
      `Edit ${administrator.username} → /users/${administrator.id}`,
    ]);
    expect(textOf(card(administrator).find('button'))).toBe(`Send password link to ${administrator.username}`);
    expect(textOf(card(student).find('[value="sign-out-user"]'))).toBe(`Sign out everywhere: ${student.username}`);
    expect(card(student).find('[name="userId"]').attr('value')).toBe(String(student.id));
    expect(linksIn($('.screen-header'))).toEqual(['Invite New User → /users/invitations', 'Add User → /users/add']);
    expect((await documentAt('/users', cookies.student)).$('main').find('.button, li a').length).toBe(0);
  });

  it('who is in flight has a badge for administrators; others see only their own (B821, C79)', async () => {
    await makeFlight(db, people.student, await makeAircraft(db, schoolId));
    const inFlight = async (role: Role) => {
      const { $ } = await documentAt('/users', cookies[role]);
      return $('[data-tone="in-progress"]')
        .toArray()
        .map((badge) => [$(badge).closest('li').attr('id'), textOf($(badge))]);
    };
    const badge = [`user-${people.student.id}`, 'In flight'];
    expect(await inFlight('administrator')).toEqual([badge]);
    expect(await inFlight('student')).toEqual([badge]);
    expect(await inFlight('instructor')).toEqual([]);
  });

  it('an invitation names who, by whom and when, and can be sent again, expired or not (C22, C23, B223)', async () => {
    const { id, email } = await makeInvitation(db, people.administrator, { created_at: new Date('2026-05-12T10:00Z') });
    const row = async () => (await documentAt('/users/invitations', cookies.administrator)).$('.list-rows li');
    expect(textOf((await row()).find('.hint'))).toBe(
      `Zoë Invited, invited by ${people.administrator.username}, sent 12 May 2026`,
    );
    expect(textOf((await row()).find('h3'))).toBe(email);
    expect(linksIn(await row())).toEqual([
      `Edit the invitation for ${email} → /users/invitations/${id}`,
      `Delete the invitation for ${email} → /users/invitations?confirm=delete-invitation:${id}`,
    ]);
    expect((await row()).find('button').length).toBe(1);
    await db
      .updateTable('invitations')
      .set({ expires_at: new Date(0) })
      .where('id', '=', id)
      .execute();
    expect(textOf((await row()).find('button[value="resend-invitation"]'))).toBe(
      `Send again the invitation for ${email}`,
    );
    expect((await row()).find('[name="invitationId"]').attr('value')).toBe(String(id));
  });
});

describe('the flight logs', () => {
  it("only administrators export, and only flights; cancelled check-outs have no 'Export CSV' (B180, B278, C09)", async () => {
    const id = await makeAircraft(db, schoolId);
    const exports = async (search: string, role: Role) =>
      linksIn((await documentAt(`/flight-logs${search}`, cookies[role])).$('.screen-header'));
    expect(await exports('', 'administrator')).toEqual(['Export CSV → /api/flight-logs/export']);
    expect(await exports(`?aircraftId=${id}`, 'administrator')).toEqual([
      `Export CSV → /api/flight-logs/export?aircraftId=${id}`,
    ]);
    expect(await exports('?show=cancelled', 'administrator')).toEqual([]);
    for (const role of ['instructor', 'student'] as const) expect(await exports('', role)).toEqual([]);
  });

  it.each([
    [
      'administrator',
      'open',
      ['Close on behalf', 'Correct flight', 'Cancel check-out', 'Report a Squawk', 'Set to Maintenance'],
    ],
    ['student', 'open', ['Complete Post-Flight Check', 'Correct flight', 'Cancel check-out', 'Report a Squawk']],
    ['instructor', 'landed', ['Report a Squawk']],
  ] as const)(
    "of a student's flight, the role %s is offered while it is %s: %j (C08, C09, C10, C11, C77, C81)",
    async (role, state, offered) => {
      const columns = state === 'landed' ? { ...landed(1), completed_by: people.student.id } : {};
      const aircraftId = await makeAircraft(db, schoolId);
      const id = await makeFlight(db, people.student, aircraftId, columns);
      const { $ } = await documentAt(`/flight-logs?log=${id}`, cookies[role]);
      const actions = $('dialog > .card-footer').find('a, button').toArray();
      expect(actions.map((action) => textOf($(action)))).toEqual(offered);
      const ways = {
        'Close on behalf': `/flight-logs/${id}/close`,
        'Cancel check-out': `/flight-logs/${id}/cancel`,
        'Complete Post-Flight Check': `/flight-log/${id}/post-check`,
        'Correct flight': `/flight-logs/${id}/correct`,
        'Report a Squawk': `/airplanes/${aircraftId}/squawks/add`,
      };
      for (const link of $('dialog > .card-footer a').toArray())
        expect(ways).toHaveProperty([textOf($(link))], $(link).attr('href'));
    },
  );
});

describe('every document', () => {
  it('every document names its language, fits the window, follows light and dark, and opens with a skip link (B330)', async () => {
    const { $, headers } = await page('/users');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect($.html()).toMatch(/^<!DOCTYPE html><html lang="en"[ >]/);
    expect($('meta[name="viewport"]').attr('content')).toBe('width=device-width, initial-scale=1');
    expect($('meta[name="color-scheme"]').attr('content')).toBe('light dark');
    const first = $('body').find('a, button, input').first();
    expect([textOf(first), first.attr('href')]).toEqual(['Skip to main content', '#main']);
    expect([$('main').length, $('main').attr('id'), $('main').attr('tabindex'), $('h1').attr('tabindex')]).toEqual([
      1,
      'main',
      '-1',
      '-1',
    ]);
    expect([textOf($('header a').first()), $('header a').attr('href')]).toEqual([env.PRODUCT_NAME, '/']);
    expect($('header svg').attr('aria-hidden')).toBe('true');
  });

  it('a page runs only scripts that carry its own nonce, and no cache keeps it or the data of its script (C28)', async () => {
    const [one, other] = [await page('/users'), await page('/users')];
    const nonceOf = ({ headers }: ServedDocument) =>
      /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1];
    expect(nonceOf(one)).toMatch(/^[\w+/]{22}==$/);
    expect(nonceOf(other)).not.toBe(nonceOf(one));
    const scripts = one
      .$('script')
      .toArray()
      .map((script) => one.$(script));
    expect(scripts.length).toBeGreaterThan(2);
    expect(new Set(scripts.map((script) => script.attr('nonce')))).toEqual(new Set([nonceOf(one)]));
    expect(one.headers.get('cache-control')).toBe('no-store');
    expect((await page('/users.data')).headers.get('cache-control')).toBe('no-store');
  });
});

describe('a field for a password', () => {
  const attributesOf = ({ $ }: ServedDocument, name: string, attributes: string[]) =>
    attributes.map((attribute) => $(`[name="${name}"]`).attr(attribute));

  it('passwords are hidden, and named to password managers as old or new (B054, B069, B111)', async () => {
    const { token } = await makeInvitation(db, admin);
    const facts = ['type', 'autocomplete'];
    expect(attributesOf(await documentAt('/login'), 'password', facts)).toEqual(['password', 'current-password']);
    expect(attributesOf(await page('/users/add'), 'password', facts)).toEqual(['password', 'new-password']);
    const registration = await documentAt(`/register?token=${token}`);
    expect(attributesOf(registration, 'password', facts)).toEqual(['password', 'new-password']);
    expect(attributesOf(registration, 'confirmPassword', facts)).toEqual(['password', 'new-password']);
    expect(attributesOf(registration, 'token', ['type', 'value'])).toEqual(['hidden', token]);
  });
});

describe('a question before something is destroyed', () => {
  it.each([
    [
      'aircraft',
      'Are you sure you want to delete this aircraft? This action cannot be undone.',
      '/airplanes',
      '/airplanes?index',
    ],
    ['user', 'Are you sure you want to delete this user?', '/users', '/users?index'],
    [
      'invitation',
      /^Are you sure you want to delete the invitation for \S+@invited\.example\? This action cannot be undone\.$/,
      '/users/invitations',
      '/users/invitations?confirm=delete-invitation:{id}',
    ],
  ] as const)(
    'the question before deleting the %s is a named dialog above the title, Cancel first (B092, B109, B225, C71)',
    async (what, question, back, action) => {
      const asked = {
        aircraft: () => makeAircraft(db, schoolId),
        user: async () => (await makeUser(db, schoolId)).id,
        invitation: async () => (await makeInvitation(db, admin)).id,
      };
      const id = String(await asked[what]());
      const { $ } = await page(`${back}?confirm=delete-${what}:${id}`);
      const dialog = $('main dialog');
      expect([dialog.attr('role'), dialog.is('[open]')]).toEqual(['alertdialog', true]);
      expect(textOf($(`[id="${dialog.attr('aria-labelledby')}"]`))).toMatch(/^Delete /);
      expect(textOf($(`[id="${dialog.attr('aria-describedby')}"]`))).toMatch(question);
      expect($('dialog, h1').first().is('dialog')).toBe(true);
      const cancel = dialog.find('a, button').first();
      expect([textOf(cancel), cancel.attr('href'), cancel.is('[autofocus]')]).toEqual(['Cancel', back, true]);
      expect(dialog.find('form').attr('action')).toBe(action.replace('{id}', id));
      const sent = Object.fromEntries(
        dialog
          .find('form')
          .serializeArray()
          .map(({ name, value }) => [name, value]),
      );
      expect(sent).toMatchObject({
        intent: `delete-${what}`,
        [`${what}Id`]: id,
        requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      });
    },
  );
});

describe('what a screen says in its states', () => {
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
    const signedIn = await page(path);
    expect(textOf(signedIn.$('.notice > div'))).toBe(`You are signed in as ${admin.username}`);
    expect(textOf(signedIn.$('.notice form[action="/logout"] button'))).toBe('Logout');
    expect(mainText(signedIn)).toContain('Log out first, then open the link again.');
  });

  it.each([
    ['/airplanes', 'No aircraft found. Add your first aircraft to get started.', null],
    ['/users/invitations', 'No pending invitations', null],
    ['/ocr/history', 'No scan history yet. Start by scanning an aircraft meter.', 'Scan Meter → /ocr'],
    ['/flight-log', 'No aircraft available at your flight school', 'Back → /'],
    [
      '/flight-logs',
      'No flights yet. Check out an aircraft, and its flight is listed here.',
      'Check Out → /flight-log',
    ],
  ])('where there is nothing yet, %s says: %s (B082, B130, B145, B224, B329)', async (path, text, next) => {
    const { $ } = await page(path);
    expect(
      $('.empty-state p')
        .toArray()
        .map((line) => textOf($(line))),
    ).toEqual([text]);
    const links = $('.empty-state a')
      .toArray()
      .map((link) => `${textOf($(link))} → ${$(link).attr('href')}`);
    expect(links).toEqual(next === null ? [] : [next]);
  });

  it('settings are a form for administrators and facts for others, with readable time zones (B083, B133, C30, C41)', async () => {
    const form = await page('/school-settings');
    expect(textOf(form.$('#school button'))).toBe('Save Changes');
    expect(textOf(form.$('[name=timeZone] option[selected]'))).toBe('America/Los Angeles');
    expect(textOf(form.$('[name=activityKeptDays] option[selected]'))).toBe('2 years');
    const shown = await page('/school-settings', cookies.student);
    expect(factsOf(shown)).toEqual([
      'School Name: Cascade',
      'Address: 1 Field Road',
      'Phone Number: 555 0100',
      'Time Zone: America/Los Angeles',
    ]);
    await makeAircraft(db, schoolId, { make: 'Piper', model: 'PA-28' });
    const fleet = await page('/airplanes');
    expect([textOf(fleet.$('.card h2 + .subtitle')), fleet.$('.empty-state').length]).toEqual(['Piper PA-28', 0]);
    expect(textOf((await page('/airplanes/add')).$('.hint'))).toBe('e.g. Cessnae.g. 172S');
  });

  nightly('an address that names no flight answers 404, and still lists the flights (B266)', async () => {
    const shown = await page('/flight-logs?log=2147483647');
    expect([shown.status, textOf(shown.$('.notice')), shown.$('h1').length]).toEqual([404, 'Flight log not found', 1]);
    expect((await page('/flight-logs')).status).toBe(200);
  });

  it('a wrong password is told once, and the cursor waits in the emptied field (B823)', async () => {
    const { $ } = await documentAfter('/login', { username: 'nobody', password: 'wrong' });
    expect(textOf($('body')).split('Invalid username or password').length - 1).toBe(1);
    expect($('[autofocus]').attr('name')).toBe('password');
  });
});

describe('scans', () => {
  it('the scan screen preselects the aircraft, shows the reading beside its photo, and offers to save it (B117, C46)', async () => {
    const { id, aircraftId, photo } = await makeScan({ other_text: '1284.5' });
    const shown = await page(`/ocr?aircraftId=${aircraftId}&scan=${id}`);
    const { $ } = shown;
    expect($('[name="aircraftId"] option[selected]').attr('value')).toBe(String(aircraftId));
    expect(textOf($('.scan-result .reading'))).toBe('1234.5');
    expect($('.reading-tenths').text()).toBe('5');
    const pictures = $('.scan-result img')
      .toArray()
      .map((image) => [$(image).attr('alt'), $(image).attr('src')]);
    expect(pictures).toEqual([
      ['Hobbs Meter as scanned', `/photos/${photo}`],
      ['Counter of the Hobbs Meter as it was read', `/photos/${photo}`],
    ]);
    expect(notesOf(shown)).toEqual(['Reads 1234.5; 1284.5 would fit the photo too.']);
    expect(textOf($('#save-reading'))).toBe('Save 1234.5 as last Hobbs');
    expect($('#save-reading').attr('action')).toBe(`/ocr/${id}/save`);
    expect($('.screen-header a').attr('href')).toBe('/ocr/history');
    expect((await page(`/ocr?scan=${id}`, cookies.student)).$('#save-reading').length).toBe(0);
  });

  nightly(
    'figures in doubt are marked in the crop and said beside the reading, as is another counter (B676, B678)',
    async () => {
      const [sure, doubtful] = [
        { figure: '1', confidence: '0.99', other: null },
        { figure: '4', confidence: '0.52', other: '3' },
      ];
      const figures = JSON.stringify([sure, sure, doubtful]);
      const { id } = await makeScan({ figures, other_text: '24448.3', other_kind: 'other counter' });
      const shown = await page(`/ocr?scan=${id}`);
      expect(notesOf(shown)).toEqual([
        'The last drum stands between 3 and 4. Reads 1234.5; 24448.3 is in the photo too.',
      ]);
      const marks = shown.$('.meter-crop rect').toArray();
      expect(marks.map(({ attribs }) => Math.round(Number(attribs.x)))).toEqual([188]);
      const history = await page('/ocr/history');
      const hints = history.$('.card').first().find('.hint').toArray();
      expect(hints.map((hint) => textOf(history.$(hint)))).toEqual([
        'The last drum stands between 3 and 4.',
        'Reads 1234.5; 24448.3 is in the photo too.',
      ]);
      expect(history.$('.card').first().find('.meter-crop rect').length).toBe(1);
    },
  );

  nightly(
    'a lower reading asks administrators for a reason, and instructors to leave it to them (C06, C46)',
    async () => {
      const { id } = await makeScan({}, { last_hobbs: '2000.0' });
      const boss = await page(`/ocr?scan=${id}`);
      expect(notesOf(boss)).toEqual(['Lower than the last recorded reading (2000.0).']);
      expect(textOf(boss.$('#save-reading label'))).toBe('Reason');
      const instructor = await page(`/ocr/${id}/save`, cookies.instructor);
      expect(textOf(instructor.$('.card .hint'))).toBe('Only an administrator can save it as the last reading.');
      expect(instructor.$('#save-reading').length).toBe(0);
      await db
        .updateTable('aircraft')
        .set({ maintenance_since: new Date() })
        .where('school_id', '=', schoolId)
        .execute();
      expect(textOf((await page(`/ocr/${id}/save`)).$('.notice'))).toBe(
        'This reading cannot be saved as the last one now.',
      );
    },
  );

  it.each([
    ['0.79', 'Medium (79%)', 'medium'],
    ['0.49', 'Low (49%)', 'low'],
  ])('a scan with a confidence of %s is %s in the tone %s (B170, B310)', async (confidence, words, tone) => {
    const { id } = await makeScan({ confidence });
    expect(badges(await documentAt(`/ocr?scan=${id}`, cookies.administrator))).toEqual([[words, tone]]);
  });
});

function linksIn(part: ReturnType<ServedDocument['$']>): string[] {
  return part
    .find('a[href]')
    .toArray()
    .map((link) => {
      const one = part.find(link);
      return `${textOf(one)} → ${one.attr('href')}`;
    });
}

async function makeScan(columns: Partial<NewRow<'scans'>>, ofAircraft: Partial<NewRow<'aircraft'>> = {}) {
  const owned = { school_id: schoolId, user_id: admin.id };
  const picture = { ...owned, content: Buffer.from('jpeg'), width: 1, height: 1 };
  const { id: photo } = await db.insertInto('photos').values(picture).returning('id').executeTakeFirstOrThrow();
  const aircraftId = await makeAircraft(db, schoolId, ofAircraft);
  const read = { meter_type: 'hobbs', detected_text: '1234.5', confidence: '0.9', ...columns } as const;
  const scan = { ...owned, aircraft_id: aircraftId, photo_id: photo, crop_id: photo, ...read };
  const { id } = await db.insertInto('scans').values(scan).returning('id').executeTakeFirstOrThrow();
  return { id, aircraftId, photo };
}

const mainText = ({ $ }: ServedDocument) => textOf($('main'));
const notesOf = ({ $ }: ServedDocument) =>
  $('.inline-note')
    .toArray()
    .map((note) => textOf($(note)))
    .filter(Boolean);

/** The page's facts as 'term: detail'. */
function factsOf({ $ }: ServedDocument): string[] {
  return $('dt')
    .toArray()
    .map((term) => `${textOf($(term))}: ${textOf($(term).next('dd'))}`);
}

function badges({ $ }: ServedDocument) {
  return $('.badge')
    .toArray()
    .map((badge) => [textOf($(badge)), $(badge).attr('data-tone')]);
}
