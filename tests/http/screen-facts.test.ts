import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import type { NewRow } from '#db/tables.ts';
import type { Member } from '#app/domain/actor.ts';
import { env } from '#app/env.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { detailOf, documentAfter, documentAt, type ServedDocument, textOf } from '#tests/support/documents.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { cookieOf, formRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makePeople, makeSchool } from '#tests/support/school.ts';

const { db } = await testDatabase();

let schoolId: number;
let people: Record<Role, Member>;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  people = await makePeople(db, schoolId);
});

const page = async (path: string, as: Role) => documentAt(path, await cookieOf(db, people[as]));
const post = async (path: string, fields: Record<string, string>, as: Role) =>
  answerTo(formRequest(path, fields, await cookieOf(db, people[as])));
const labels = ({ $ }: ServedDocument) =>
  $('main label')
    .toArray()
    .map((label) => textOf($(label)));
const links = ({ $ }: ServedDocument) =>
  Object.fromEntries(
    $('main a')
      .toArray()
      .map((link) => [textOf($(link)), $(link).attr('href')]),
  );
const fly = async (as: Role, columns: Omit<Partial<NewRow<'flight_logs'>>, 'school_id'> = {}) =>
  makeFlight(db, people[as], await makeAircraft(db, schoolId), columns);

describe('the sign-in page', () => {
  it.each(['/login', '/auth'])(
    '%s has the name of the product, and asks for what it needs (B018, B019, B053)',
    async (path) => {
      const shown = await documentAt(path);
      expect([shown.status, textOf(shown.$('h1'))]).toEqual([200, env.PRODUCT_NAME]);
      expect(shown.$('main').text()).toContain("Log in to manage your flight school's operations");
      expect(labels(shown)).toEqual(expect.arrayContaining(['Username', 'Password']));
      const { $ } = await documentAfter(path, { username: '', password: '' });
      expect($('main').text()).toContain('Username is required');
    },
  );
});

describe('the dashboard', () => {
  it('a visitor is welcomed and led to the login (B024, B025)', async () => {
    const shown = await documentAt('/');
    expect(textOf(shown.$('h1'))).toBe(`Welcome to ${env.PRODUCT_NAME}`);
    expect(links(shown)).toMatchObject({ Login: '/login' });
  });

  it.each([
    ['administrator', 'Administrator', 'default'],
    ['instructor', 'Instructor', 'secondary'],
    ['student', 'Student', 'outline'],
  ] as const)('the badge of the role %s says %s, in the style %s (B001, B028, B029)', async (role, words, tone) => {
    const { $, status } = await page('/', role);
    expect(status).toBe(200);
    const badge = $('main [data-tone]').first();
    expect([textOf(badge), badge.attr('data-tone')]).toEqual([words, tone]);
  });

  it('only administrators are led to fleet, users, invitations and settings (B047-B052)', async () => {
    const management = {
      'View Aircraft Fleet': '/airplanes',
      'Add New Aircraft': '/airplanes/add',
      'Manage Users': '/users',
      'Invite New User': '/users/invitations',
      'Manage School Settings': '/school-settings',
    };
    expect(links(await page('/', 'administrator'))).toMatchObject(management);
    for (const role of ['instructor', 'student'] as const) {
      const shown = links(await page('/', role));
      expect(shown).toMatchObject({ 'View Flight History': '/flight-logs', 'Check Out': '/flight-log' });
      expect(Object.keys(shown).filter((name) => name in management)).toEqual([]);
    }
  });

  it('after a start the notice stands for Check Out, and the flight has a card (B032, B038, B039, B041, B156)', async () => {
    const aircraftId = String(await makeAircraft(db, schoolId, { tail_number: 'N512FL' }));
    const fields = { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0' };
    expect((await post('/flight-log?step=2', fields, 'student')).status).toBe(303);
    const shown = await page('/', 'student');
    expect(shown.$('main').text()).toContain(
      'You have an active flight in progress. Please complete your current flight before starting a new one.',
    );
    const { 'Check Out': checkOut, 'Complete Post-Flight Check': complete } = links(shown);
    expect([checkOut, complete]).toEqual([undefined, expect.stringMatching(/^\/flight-log\/\d+\/post-check$/)]);
    const card = shown.$('section:has(h2:contains("Your Open Flights"))').text();
    for (const text of ['N512FL', 'Cessna 172S', 'In Progress', 'Started']) expect(card).toContain(text);
  });
});

describe('the screens of fleet and people', () => {
  it('the fleet, the users and the form for aircraft have their titles and fields (B079, B097, B098, B105)', async () => {
    expect(textOf((await page('/airplanes', 'student')).$('h1'))).toBe('Aircraft Fleet');
    expect(textOf((await page('/users', 'administrator')).$('h1'))).toBe('Users');
    const add = await page('/airplanes/add', 'administrator');
    expect(labels(add)).toEqual(['Tail Number', 'Make', 'Model', 'Year']);
    expect(add.$('[name=year]').attr()).toMatchObject({ type: 'number', min: '1900', max: '2100', step: '1' });
  });

  it('the invitations lead back, and offer three roles, student first chosen (B215, B216, B217)', async () => {
    const shown = await page('/users/invitations', 'administrator');
    expect(links(shown)).toMatchObject({ 'Back to Dashboard': '/' });
    expect(labels(shown)).toEqual(['Name', 'Email', 'Role']);
    const options = shown
      .$('option')
      .toArray()
      .map((option) => textOf(shown.$(option)));
    expect(options).toEqual(['School Administrator', 'Instructor', 'Student']);
    expect(textOf(shown.$('option[selected]'))).toBe('Student');
  });

  it('the registration has its button (B070)', async () => {
    const { token } = await makeInvitation(db, people.administrator);
    const { $ } = await documentAt(`/register?token=${token}`);
    expect(textOf($('main button'))).toBe('Complete Registration');
  });

  it('a photo of a meter is any image, of the rear camera where there is one (B120)', async () => {
    const { $ } = await page('/ocr', 'student');
    expect($('[name=image]').attr()).toMatchObject({ type: 'file', accept: 'image/*', capture: 'environment' });
  });
});

describe('a refusal', () => {
  it('a toast of an error is destructive, titled Error, and says what the server says (B295)', async () => {
    const plane = await makeAircraft(db, schoolId);
    await makeFlight(db, people.student, plane);
    const fields = { intent: 'delete-aircraft', aircraftId: String(plane) };
    const { $ } = await documentAfter('/airplanes?index', fields, await cookieOf(db, people.administrator));
    const toast = $('[role=alert] .toast');
    expect(toast.attr('data-tone')).toBe('destructive');
    expect(toast.text()).toMatch(/Error.*This aircraft is checked out and cannot be deleted\./s);
  });

  it.each([
    ['/flight-logs?aircraftId=N512FL', 400, '400: Invalid aircraft'],
    ['/ocr/1/save', 403, '403: Forbidden'],
  ])('the page %s is %i and says %s (B297)', async (path, status, words) => {
    const refused = await page(path, 'student');
    expect(refused.status).toBe(status);
    expect(
      refused
        .$('main p')
        .toArray()
        .map((line) => textOf(refused.$(line))),
    ).toContain(words);
  });
});

describe('the steps of the check-out', () => {
  it('steps behind and the current one lead there, later ones do not (B139, B140)', async () => {
    const cookie = await cookieOf(db, people.student);
    const steps = ({ $ }: ServedDocument) =>
      $('nav[aria-label=Steps] li')
        .toArray()
        .map((step) => [textOf($(step)), $(step).find('a, button').length]);
    expect(steps(await documentAt('/flight-log', cookie))).toEqual([
      ['Select Aircraft', 1],
      ['Check Out', 0],
      ['Review & Save', 0],
    ]);
  });
});

describe('the check-in', () => {
  const ends = { endHobbsTime: '101.2', endTachTime: '91.0' };

  it("the pilot's check-in asks for fuel, oil to a tenth and an instructor (B012, B193, B194, B195, B313)", async () => {
    const shown = await page(`/flight-log/${await fly('student')}/post-check`, 'student');
    expect(shown.status).toBe(200);
    for (const name of ['refueled', 'oilAdded'])
      expect(shown.$(`[name=${name}]`).attr()).toMatchObject({ type: 'checkbox', role: 'switch' });
    expect(labels(shown)).toEqual(expect.arrayContaining(['Refueled', 'Oil Added', 'Oil Quantity (Quarts)']));
    expect(shown.$('[name=oilQuantity]').attr()).toMatchObject({ type: 'number', step: '0.1', min: '0' });
    const [first] = shown.$('[name=instructorId] option').toArray();
    expect([first && textOf(shown.$(first)), labels(shown)]).toEqual([
      'No instructor',
      expect.arrayContaining(['Instructor (Optional)']),
    ]);
  });

  it.each(['administrator', 'instructor', 'student'] as const)(
    'as %s one completes an own flight alone, is led to the dashboard, and reads the log (B275, B277, C62)',
    async (role) => {
      const id = await fly(role);
      const answer = await post(`/flight-log/${id}/post-check`, ends, role);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
      expect((await page('/flight-logs', role)).$('main').text()).toContain('Completed');
      const others = await fly(role === 'student' ? 'instructor' : 'student');
      expect((await page(`/flight-log/${others}/post-check`, role)).status).toBe(403);
    },
  );

  it('end readings are above their starts as decimals, not as texts (B204, B205)', async () => {
    const path = `/flight-log/${await fly('student', { start_hobbs: '999.9', start_tach: '1234.10' })}/post-check`;
    const send = async (endHobbsTime: string, endTachTime: string) => {
      const answer = await post(path, { endHobbsTime, endTachTime }, 'student');
      return [
        answer.status,
        JSON.stringify(answer.body).match(/End (?:Hobbs|Tach) time must be greater/g)?.length ?? 0,
      ];
    };
    expect(await send('999.90', '1234.1')).toEqual([400, 2]);
    expect(await send('1000.0', '987.6')).toEqual([400, 1]);
    expect((await send('1000.0', '1234.11'))[0]).toBe(303);
  });

  it('a meter that has rolled over is declared, and its hours are in the details (B587)', async () => {
    const id = await fly('student', { start_hobbs: '9999.4' });
    const change = { changed: 'on', reason: 'rolled over', oldLast: '9999.9', newFirst: '0.0' };
    const fields = Object.entries(change).map(([name, value]) => [`meterChanges.hobbs.${name}`, value]);
    const sent = { endHobbsTime: '0.8', endTachTime: '91.1', ...Object.fromEntries(fields) };
    expect((await post(`/flight-log/${id}/post-check`, sent, 'student')).status).toBe(303);
    const shown = await page(`/flight-logs/${id}`, 'student');
    expect(textOf(detailOf(shown, 'Hobbs Hours'))).toContain('1.3');
    expect(shown.$('main').text()).toContain('Rolled over at 9999.9, went on from 0.0');
  });
});

describe('the form of a past flight', () => {
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
    const { $, status } = await documentAfter('/flight-logs/new', typed, await cookieOf(db, people.administrator));
    expect([status, $('main').text()]).toEqual([400, expect.stringContaining('Lower than the last recorded reading')]);
    const kept = $('main form')
      .serializeArray()
      .map(({ name, value }) => [name, value]);
    expect(Object.fromEntries(kept)).toMatchObject(typed);
  });
});
