import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import type { NewRow } from '#db/tables.ts';
import type { Member } from '#app/domain/actor.ts';
import { createLinkToken } from '#app/domain/link-tokens.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAt, type ServedDocument, textOf } from '#tests/support/documents.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

let schoolId: number;
let admin: Member;
let cookie: string;
beforeEach(async () => {
  schoolId = await makeSchool(db, {
    name: 'Cascade',
    address: '1 Field Road',
    phone: '555 0100',
    time_zone: 'America/Los_Angeles',
  });
  admin = await makeUser(db, schoolId, 'administrator');
  cookie = await cookieOf(db, admin);
});
const page = (path: string, as = cookie) => documentAt(path, as);
const cookieAs = async (role: Role) => cookieOf(db, await makeUser(db, schoolId, role));

describe('before sign-in', () => {
  it('B024 B025 B053 B055 C26: the welcome leads to the login, which says what it is for', async () => {
    const welcome = await documentAt('/');
    expect(mainText(welcome)).toContain(
      'Check an aircraft out before a flight, check it in after, and find every flight in the logs.',
    );
    expect(linksIn(welcome)).toEqual(['Login → /login']);
    const login = await documentAt('/login');
    expect(textOf(login.$('.screen-header .subtitle'))).toBe("Log in to manage your flight school's operations");
    expect(textOf(login.$('[id="login-sharedComputer-description"]'))).toBe('You will be signed out after 8 hours.');
    expect(textOf(login.$('form button'))).toBe('Login');
    expect(login.$('form button').attr('data-variant')).toBe('primary');
  });

  it('B066-B070: a registration names the school and shows name, role and mail as text', async () => {
    const { token, email } = await makeInvitation(db, admin, { name: 'Zoë Invited', role: 'instructor' });
    const shown = await documentAt(`/register?token=${token}`);
    expect(textOf(shown.$('.screen-header .subtitle'))).toBe(
      'Welcome to Cascade! Please complete your registration below.',
    );
    expect(factsOf(shown)).toEqual(['Name: Zoë Invited', 'Role: Instructor', `Email: ${email}`]);
    expect(textOf(shown.$('form button'))).toBe('Complete Registration');
  });

  it('C29 C38: a password link names its user; who is signed in is told to log out first', async () => {
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
});

describe('where there is nothing yet', () => {
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
    ['/flight-logs?aircraftId=1', 'No flights with this aircraft yet.', 'Show all aircraft → /flight-logs'],
    ['/flight-logs?show=cancelled', 'No cancelled check-outs.', null],
  ])('B082 B130 B145 B224 B329: where there is nothing yet, %s says: %s', async (path, text, next) => {
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

  it('B044 B045 B107 C36: a school and its people are shown in full, and to a user without a school that there is none', async () => {
    expect(factsOf(await page('/'))).toEqual(['Name: Cascade', 'Address: 1 Field Road', 'Phone: 555 0100']);
    expect(textOf((await page('/users')).$('.user-rows .address'))).toBe(admin.email);
    expect((await page('/users')).$('.empty-state').length).toBe(0);
    await db.updateTable('users').set({ school_id: null }).where('id', '=', admin.id).execute();
    expect(mainText(await page('/'))).toContain('No flight school assigned');
    expect(textOf((await page('/users')).$('.empty-state'))).toBe('No flight school assigned');
  });
});

describe('school, fleet and invitations', () => {
  it('B083 B133 C30 C41: settings are a form for administrators and facts for others, with readable time zones', async () => {
    const form = await page('/school-settings');
    expect(textOf(form.$('#school button'))).toBe('Save Changes');
    expect(textOf(form.$('[name=timeZone] option[selected]'))).toBe('America/Los Angeles');
    expect(textOf(form.$('[name=activityKeptDays] option[selected]'))).toBe('2 years');
    const shown = await page('/school-settings', await cookieAs('student'));
    expect(factsOf(shown)).toEqual([
      'School Name: Cascade',
      'Address: 1 Field Road',
      'Phone Number: 555 0100',
      'Time Zone: America/Los Angeles',
    ]);
    await makeAircraft(db, schoolId, { make: 'Piper', model: 'PA-28' });
    const fleet = await page('/airplanes');
    expect([textOf(fleet.$('.card h2 + .subtitle')), fleet.$('.empty-state').length]).toEqual(['Piper PA-28', 0]);
    expect(textOf((await page('/airplanes/add')).$('.hint'))).toBe('As in CessnaAs in 172S');
  });

  it('B216 C23: the invitation card says what it does, and a mail that has not left is named', async () => {
    const { id, email } = await makeInvitation(db, admin);
    const { $ } = await page('/users/invitations');
    expect(
      $('.card h2')
        .toArray()
        .map((heading) => textOf($(heading))),
    ).toEqual(['Send New Invitation', 'Pending Invitations']);
    expect(textOf($('.card .subtitle').first())).toBe('Invite new users to join your flight school');
    expect(textOf($('.list-rows'))).not.toContain('Mail not delivered yet');
    const later = new Date(Date.now() + 3_600_000);
    const mail = {
      school_id: schoolId,
      to_name: '',
      to_address: email,
      subject: '',
      body_text: '',
      body_html: '',
      next_attempt_at: later,
    };
    const { id: mail_id } = await db.insertInto('mail_outbox').values(mail).returning('id').executeTakeFirstOrThrow();
    await db.updateTable('invitations').set({ mail_id }).where('id', '=', id).execute();
    expect(textOf((await page('/users/invitations')).$('.list-rows .inline-note'))).toBe('Mail not delivered yet');
  });
});

describe('scans', () => {
  it('B117 C46: the scan screen preselects the aircraft, shows the reading beside its photo, and offers to save it', async () => {
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
    expect((await page(`/ocr?scan=${id}`, await cookieAs('student'))).$('#save-reading').length).toBe(0);
  });

  it('B676 B678: figures in doubt are marked in the crop and said beside the reading, as is another counter', async () => {
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
  });

  it('C06 C46: a lower reading asks administrators for a reason, and instructors to leave it to them', async () => {
    const { id } = await makeScan({}, { last_hobbs: '2000.0' });
    const boss = await page(`/ocr?scan=${id}`);
    expect(notesOf(boss)).toEqual(['Lower than the last recorded reading (2000.0).']);
    expect(textOf(boss.$('#save-reading label'))).toBe('Reason');
    const instructor = await page(`/ocr/${id}/save`, await cookieAs('instructor'));
    expect(textOf(instructor.$('.card .hint'))).toBe('Only an administrator can save it as the last reading.');
    expect(instructor.$('#save-reading').length).toBe(0);
    await db.updateTable('aircraft').set({ maintenance_since: new Date() }).where('school_id', '=', schoolId).execute();
    expect(textOf((await page(`/ocr/${id}/save`)).$('.notice'))).toBe(
      'This reading cannot be saved as the last one now.',
    );
  });

  it('B125 B128 B129 C41: the history names aircraft, meter, reading, doubt and the time of the school', async () => {
    await makeScan(
      { other_text: '1284.5', meter_type: 'tachometer', crop_id: null, created_at: new Date('2026-05-12T21:05Z') },
      { tail_number: 'N1FL' },
    );
    const { $ } = await page('/ocr/history');
    const lines = $('.card')
      .children()
      .toArray()
      .map((part) => textOf($(part)));
    expect(lines).toEqual([
      'N1FLCessna 172S90%',
      'Tachometer 1234.5',
      'Reads 1234.5; 1284.5 would fit the photo too.',
      '12 May 2026, 14:05 PDT',
    ]);
    expect($('.card img, .empty-state').length).toBe(0);
  });
});

describe('the list of flights', () => {
  it('B179 C45: the list of flights is narrowed by a GET, and leads to its pages by named links', async () => {
    const aircraftId = await makeAircraft(db, schoolId);
    const fly = (hour: number) => {
      const [start, end] = [hour, hour + 1].map((at) => new Date(Date.UTC(2026, 4, 1, at)).toISOString());
      return makeFlight(db, admin, aircraftId, { ...completed(String(start), String(end)), completed_by: admin.id });
    };
    await fly(0);
    expect((await page('/flight-logs')).$('nav[aria-label="Pages"]').length).toBe(0);

    for (let hour = 1; hour < 101; hour += 1) await fly(hour);
    const { $ } = await page('/flight-logs');
    expect([$('form.filter-form').attr('method'), $('form.filter-form').attr('action')]).toEqual([
      'get',
      '/flight-logs?index',
    ]);
    const linksOn = async (path: string) => {
      const shown = await page(path);
      const links = shown.$('nav[aria-label="Pages"] a').toArray();
      return links.map((link) => ({
        text: textOf(shown.$(link)),
        rel: link.attribs.rel,
        href: link.attribs.href ?? '',
      }));
    };
    const [toSecond, ...none] = await linksOn('/flight-logs');
    expect([toSecond, none]).toMatchObject([{ text: 'Older', rel: 'next' }, []]);
    const [toFirst, toThird] = await linksOn(toSecond?.href ?? '');
    expect([toFirst, toThird]).toMatchObject([
      { text: 'Newer', rel: 'prev' },
      { text: 'Older', rel: 'next' },
    ]);
    expect(await linksOn(toThird?.href ?? '')).toMatchObject([{ text: 'Newer', rel: 'prev' }]);
  });

  it('C09: only administrators can choose the cancelled check-outs, and see that they have', async () => {
    const choice = async (search: string, as?: string) => {
      const { $ } = await page(`/flight-logs${search}`, as);
      return $('[name="show"] option')
        .toArray()
        .map((option) => `${textOf($(option))}${$(option).is('[selected]') ? ' (chosen)' : ''}`);
    };
    expect(await choice('')).toEqual(['Flights (chosen)', 'Cancelled check-outs']);
    expect(await choice('?show=cancelled')).toEqual(['Flights', 'Cancelled check-outs (chosen)']);
    expect(await choice('?show=cancelled', await cookieAs('instructor'))).toEqual([]);
  });

  it('B266: an address that names no flight answers 404, and still lists the flights', async () => {
    const shown = await page('/flight-logs?log=2147483647');
    expect([shown.status, textOf(shown.$('.notice')), shown.$('h1').length]).toEqual([404, 'Flight log not found', 1]);
    expect((await page('/flight-logs')).status).toBe(200);
  });
});

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
const linksIn = ({ $ }: ServedDocument) =>
  $('main a')
    .toArray()
    .map((link) => `${textOf($(link))} → ${$(link).attr('href')}`);

/** The page's facts as 'term: detail'. */
function factsOf({ $ }: ServedDocument): string[] {
  return $('dt')
    .toArray()
    .map((term) => `${textOf($(term))}: ${textOf($(term).next('dd'))}`);
}
