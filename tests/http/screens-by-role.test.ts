import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAfter, documentAt, type ServedDocument, textOf } from '#tests/support/documents.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makePeople, makeSchool } from '#tests/support/school.ts';

const { db } = await testDatabase();
const ROLES = ['administrator', 'instructor', 'student'] as const satisfies Role[];
const landed = (hoursAgo: number) => {
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  return completed(at(hoursAgo + 1), at(hoursAgo));
};

let schoolId: number;
let people: Record<Role, Member>;
let cookies: Record<Role, string>;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  people = await makePeople(db, schoolId);
  const signedIn = await Promise.all(ROLES.map(async (role) => [role, await cookieOf(db, people[role])] as const));
  cookies = Object.fromEntries(signedIn) as Record<Role, string>;
});

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
    ['instructor', everybody],
    ['student', everybody],
  ] as const)('B033 B046-B052 B279 B281: the role %s is led to the screens it may use', async (role, links) => {
    const { $ } = await documentAt('/', cookies[role]);
    // Administrators are led to every new screen too.
    expect(linksIn($('main'))).toEqual(role === 'administrator' ? expect.arrayContaining([...links]) : links);
    expect(textOf($('form[action="/logout"] button'))).toBe('Logout');
  });

  it.each(ROLES)(
    'B042 B276: the role %s may complete or cancel the own flight, and is offered nothing else for it',
    async (role) => {
      const id = await makeFlight(db, people[role], await makeAircraft(db, schoolId));
      const { $ } = await documentAt('/', cookies[role]);
      expect(textOf($('section[aria-labelledby="open-flights"] h2'))).toBe(
        role === 'administrator' ? 'All Open Flights' : 'Your Open Flights',
      );
      expect(linksIn($('section[aria-labelledby="open-flights"] .actions'))).toEqual([
        `Complete Post-Flight Check → /flight-log/${id}/post-check`,
        `Cancel check-out → /flight-logs/${id}/cancel`,
      ]);
    },
  );

  it("B043 C08 C09: an administrator may close or cancel another's flight, never complete it", async () => {
    const id = await makeFlight(db, people.student, await makeAircraft(db, schoolId));
    const { $ } = await documentAt('/', cookies.administrator);
    expect(linksIn($('section[aria-labelledby="open-flights"] .actions'))).toEqual([
      `Close on behalf → /flight-logs/${id}/close`,
      `Cancel check-out → /flight-logs/${id}/cancel`,
    ]);
    expect((await documentAt('/', cookies.instructor)).$('section[aria-labelledby="open-flights"]').length).toBe(0);
  });

  it.each(ROLES)('B276: the role %s checks an aircraft out in three steps', async (role) => {
    const aircraftId = String(await makeAircraft(db, schoolId));
    const post = (step: number, fields: Record<string, string>) =>
      documentAfter(`/flight-log?step=${step}`, fields, cookies[role]);
    const readings = { aircraftId, startHobbsTime: '101.2', startTachTime: '91.4' };
    const answers = [
      await post(0, { aircraftId }),
      await post(1, { ...readings, intent: 'next' }),
      await post(2, readings),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [303, '/flight-log?step=1'],
      [303, '/flight-log?step=2'],
      [303, '/'],
    ]);
    const flights = db
      .selectFrom('flight_logs')
      .select(['start_hobbs', 'start_tach'])
      .where('user_id', '=', people[role].id);
    expect(await flights.execute()).toEqual([{ start_hobbs: '101.2', start_tach: '91.4' }]);
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

  it('B086-B088 C05: a card says whether the aircraft can be had, and that it is grounded on return', async () => {
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
      hints: ['Currently in use', 'In maintenance on return'],
      links: [`out 0 min → /flight-logs/${flight}`],
    });
  });

  it('B822 C79: the fleet says how long an aircraft is out, and with whom only to administrators and the pilot', async () => {
    await makeFlight(db, people.instructor, await makeAircraft(db, schoolId, { tail_number: 'N1' }));
    const out = async (role: Role) => textOf((await cardOf(role, 'N1')).card.find('.aircraft-out p').last());
    expect(await out('student')).toBe('out 0 min');
    for (const role of ['administrator', 'instructor'] as const)
      expect(await out(role)).toBe(`${people.instructor.username} out 0 min`);
  });

  it('B084: a card shows the last readings under their own names, and none where there is none', async () => {
    await makeAircraft(db, schoolId, { tail_number: 'N1', last_hobbs: '1234.5', last_tach: '987.6' });
    await makeAircraft(db, schoolId, { tail_number: 'N2', last_tach: '12.3' });
    expect(factsIn(await cardOf('student', 'N1'))).toEqual({
      'Last Hobbs Time': '1234.5',
      'Last Tach Time': '987.6',
      Year: '2004',
    });
    expect(factsIn(await cardOf('student', 'N2'))).toEqual({ 'Last Tach Time': '12.3', Year: '2004' });
  });

  it('B080 B089 B280: administrators get the menu and the way to add; others neither', async () => {
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
    expect(linksIn($('.screen-header'))).toEqual(['Add New Aircraft → /airplanes/add', 'QR Codes → /airplanes/qr']);
    for (const role of ['instructor', 'student'] as const) {
      const others = await cardOf(role, 'N1');
      expect(others.$('main').find('details, form').length).toBe(0);
      expect(linksIn(others.$('.screen-header'))).toEqual(['QR Codes → /airplanes/qr']);
    }
  });
});

describe('users and invitations', () => {
  it('B106 B108 B403 C31: administrators manage everybody but themselves; others manage nobody', async () => {
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

  it('B821: a row of users has its danger in the menu, in the colour of its neighbours', async () => {
    const { $ } = await documentAt('/users', cookies.administrator);
    const row = $(`#user-${people.student.id}`);
    expect(textOf(row.find('summary'))).toBe(`Actions for ${people.student.username}`);
    expect(row.find('a, button').not('h2 a, details *').length).toBe(0);
    expect($('main').find('[data-variant="danger"]').length).toBe(0);
  });

  it('B821 C79: who is in flight has a badge for administrators; others see only their own', async () => {
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

  it('C22 C23 B223: an invitation names who, by whom and when, and can be sent again, expired or not', async () => {
    const { id, email } = await makeInvitation(db, people.administrator, { created_at: new Date('2026-05-12T10:00Z') });
    const row = async () => (await documentAt('/users/invitations', cookies.administrator)).$('.list-rows li');
    expect(textOf((await row()).find('.subtitle'))).toBe(
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
  it("B180 B278 C09: only administrators export, and only flights; cancelled check-outs have no 'Export CSV'", async () => {
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
    ['administrator', 'open', ['Close on behalf', 'Cancel check-out', 'Correct readings', 'Set to Maintenance']],
    ['instructor', 'open', []],
    ['student', 'open', ['Complete Post-Flight Check', 'Cancel check-out', 'Correct readings']],
    ['administrator', 'landed', ['Correct readings', 'Set to Maintenance']],
    ['instructor', 'landed', []],
    ['student', 'landed', ['Correct readings']],
  ] as const)(
    "C08 C09 C10 C11 C77 C81: of a student's flight, the role %s is offered while it is %s: %j",
    async (role, state, offered) => {
      const columns = state === 'landed' ? { ...landed(1), completed_by: people.student.id } : {};
      const id = await makeFlight(db, people.student, await makeAircraft(db, schoolId), columns);
      const { $ } = await documentAt(`/flight-logs?log=${id}`, cookies[role]);
      const actions = $('dialog > .card-footer').find('a, button').toArray();
      expect(actions.map((action) => textOf($(action)))).toEqual(offered);
      const ways = {
        'Close on behalf': `/flight-logs/${id}/close`,
        'Cancel check-out': `/flight-logs/${id}/cancel`,
        'Complete Post-Flight Check': `/flight-log/${id}/post-check`,
        'Correct readings': `/flight-logs/${id}/correct`,
      };
      for (const link of $('dialog > .card-footer a').toArray())
        expect(ways).toHaveProperty([textOf($(link))], $(link).attr('href'));
    },
  );
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

function factsIn({ $, card }: { $: ServedDocument['$']; card: ReturnType<ServedDocument['$']> }) {
  return Object.fromEntries(
    card
      .find('dt')
      .toArray()
      .map((term) => [textOf($(term)), textOf($(term).next('dd'))]),
  );
}
