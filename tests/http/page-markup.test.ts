import { beforeEach, describe, expect, it } from 'vitest';
import { saveDraft } from '#app/domain/drafts.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { env } from '#app/env.server.ts';
import { ROLE_OPTIONS } from '#app/features/people/role-options.ts';
import { keptCookies } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAfter, documentAt, type ServedDocument, textOf } from '#tests/support/documents.ts';
import { withoutColumn } from '#tests/support/faults.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

let schoolId: number;
let admin: Member;
let cookie: string;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  cookie = await cookieOf(db, admin);
});
const page = (path: string) => documentAt(path, cookie);

describe('every document', () => {
  it('B330: every document names its language, fits the window, follows light and dark, and is led into by a skip link', async () => {
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

  it('C28: a page runs only scripts that carry its own nonce, and no cache keeps it or the data that its script fetches', async () => {
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

  it('B015 B022: every document carries the data that its scripts start from', async () => {
    const { $ } = await page('/users');
    const data = $('script')
      .toArray()
      .map((script) => $(script).text())
      .join('');
    expect(data).toContain('window.__remixContext.streamController.enqueue(');
    expect(data).toContain(admin.username);
  });

  it.each([
    [['users', 'username_key'], '/users', 500, '500: Internal Server Error', 'Something went wrong. Please try again.'],
    [['schools', 'phone'], '/', 500, '500: Internal Server Error', 'Something went wrong. Please try again.'],
  ] as const)(
    'B296: without the column %j, %s answers %i in words, with a way back',
    async ([table, column], path, status, text, advice) => {
      const failed = await withoutColumn(db, table, column, () => page(path));
      const said = failed
        .$('main p:not(:empty)')
        .toArray()
        .map((line) => textOf(failed.$(line)));
      expect([failed.status, textOf(failed.$('h1')), said]).toEqual([status, 'Error', [text, advice]]);
      expect(failed.$('main a[href="/"]').text()).toBe('Back to Dashboard');
    },
  );

  it('B057 B300: a document shows the toast of the last redirect once, politely, and with nothing to press', async () => {
    const done = await documentAfter(
      '/airplanes/add',
      { tailNumber: 'N1', make: 'Cessna', model: '172S', year: '2004' },
      cookie,
    );
    expect([done.status, done.headers.get('location')]).toEqual([303, '/airplanes']);
    const shown = await documentAt('/airplanes', `${cookie}; ${keptCookies(done)}`);
    expect(textOf(shown.$('.toast-region[role="status"] .toast[data-tone="default"]'))).toBe(
      'Aircraft added successfully',
    );
    expect(shown.$('.toast button').length).toBe(0);
    expect(shown.headers.getSetCookie().join()).toMatch(/Max-Age=0/);
    expect((await page('/airplanes')).$('.toast-region').text()).toBe('');
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
    'B092 B109 B225 C71: the question before the %s is deleted is a named dialog before the title, with Cancel first',
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

describe('the controls of a form', () => {
  const attributesOf = ({ $ }: ServedDocument, name: string, attributes: string[]) =>
    attributes.map((attribute) => $(`[name="${name}"]`).attr(attribute));

  it("B098 B120 B194 B197 B313: numbers, times and photos are asked for with the device's own controls", async () => {
    expect(attributesOf(await page('/airplanes/add'), 'year', ['type', 'inputmode', 'min', 'max', 'step'])).toEqual([
      'number',
      'numeric',
      '1900',
      '2100',
      '1',
    ]);
    const flight = await makeFlight(db, admin, await makeAircraft(db, schoolId));
    const checkIn = await page(`/flight-log/${flight}/post-check`);
    expect(attributesOf(checkIn, 'oilQuantity', ['type', 'inputmode', 'step', 'min'])).toEqual([
      'number',
      'decimal',
      '0.1',
      '0',
    ]);
    expect(attributesOf(checkIn, 'instructorTimeIn', ['type'])).toEqual(['time']);
    expect(attributesOf(checkIn, 'instructorTimeOut', ['type'])).toEqual(['time']);
    expect(attributesOf(checkIn, 'endTachTime', ['inputmode', 'autocomplete', 'type'])).toEqual([
      'decimal',
      'off',
      'text',
    ]);
    expect(attributesOf(checkIn, 'notes', ['placeholder'])).toEqual(['Any additional notes...']);
    expect(attributesOf(checkIn, 'refueled', ['type', 'role', 'value'])).toEqual(['checkbox', 'switch', 'on']);
    const photos = [checkIn, checkIn, checkIn, await page('/ocr')].map((shown, index) =>
      attributesOf(shown, ['endHobbsPhoto', 'endTachPhoto', 'fuelReceiptImage', 'image'][index] ?? '', [
        'accept',
        'capture',
      ]),
    );
    expect(photos).toEqual(Array(4).fill(['image/*', 'environment']));
    const forms = [checkIn, await page('/ocr')].map(({ $ }) => $('form:has([type="file"])').attr('enctype'));
    expect(forms).toEqual(Array(2).fill('multipart/form-data'));
  });

  it('B054 B069 B111: passwords are hidden, and named to password managers as old or new', async () => {
    const { token } = await makeInvitation(db, admin);
    const facts = ['type', 'autocomplete'];
    expect(attributesOf(await documentAt('/login'), 'password', facts)).toEqual(['password', 'current-password']);
    expect(attributesOf(await page('/users/add'), 'password', facts)).toEqual(['password', 'new-password']);
    const registration = await documentAt(`/register?token=${token}`);
    expect(attributesOf(registration, 'password', facts)).toEqual(['password', 'new-password']);
    expect(attributesOf(registration, 'confirmPassword', facts)).toEqual(['password', 'new-password']);
    expect(attributesOf(registration, 'token', ['type', 'value'])).toEqual(['hidden', token]);
  });

  it('C58: every form that changes something carries the request id that makes a second press harmless', async () => {
    const flight = await makeFlight(db, await makeUser(db, schoolId), await makeAircraft(db, schoolId));
    const own = await makeFlight(db, admin, await makeAircraft(db, schoolId));
    const details = [
      `/flight-logs?log=${flight}`,
      `/flight-logs/${flight}/close`,
      `/flight-logs/${flight}/cancel`,
      `/flight-log/${own}/post-check`,
    ];
    for (const path of [
      '/airplanes',
      '/airplanes/add',
      '/users',
      '/users/add',
      '/users/invitations',
      '/school-settings',
      '/ocr',
      ...details,
    ]) {
      const { $ } = await page(path);
      const ids = $('main form[method="post"]')
        .toArray()
        .map((form) => $(form).find('[type="hidden"][name="requestId"]').attr('value'));
      expect(ids.length, path).toBeGreaterThan(0);
      for (const id of ids) expect(id, path).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    }
  });

  it('B119 B121 C72: the scan form names its meters, and its button can be pressed without script', async () => {
    const { $ } = await page('/ocr');
    expect(textOf($('fieldset legend'))).toBe('Meter type');
    const meters = $('[name="meterType"]')
      .toArray()
      .map((radio) => [
        $(radio).attr('value'),
        textOf($(`label[for="${$(radio).attr('id')}"]`)),
        $(radio).is('[checked]'),
      ]);
    expect(meters).toEqual([
      ['hobbs', 'Hobbs Meter', true],
      ['tachometer', 'Tachometer', false],
    ]);
    const press = $('#scan button').last();
    expect([textOf(press), press.attr('type'), press.is('[disabled]')]).toEqual(['Process Image', 'submit', false]);
  });

  it('B195 B198 B217: choices come in their order, with the default chosen', async () => {
    const flight = await makeFlight(db, admin, await makeAircraft(db, schoolId));
    const checkIn = await page(`/flight-log/${flight}/post-check`);
    expect(choicesOf(checkIn, 'instructorId')).toEqual(['No instructor', admin.username]);
    expect(choicesOf(checkIn, 'groundSchoolTime')).toHaveLength(13);
    expect(checkIn.$('[name="groundSchoolTime"] option[selected]').attr('value')).toBe('0');
    for (const path of ['/users/invitations', '/users/add']) {
      const shown = await page(path);
      expect(choicesOf(shown, 'role')).toEqual(ROLE_OPTIONS.map(({ label }) => label));
      expect(shown.$('[name="role"] option[selected]').attr('value')).toBe('student');
    }
  });
});

describe('the steps of the wizard', () => {
  it('B140 B141 B330: earlier steps and the current one lead somewhere, the current one is named as such, later ones do not', async () => {
    const readings = { aircraftId: String(await makeAircraft(db, schoolId)), startHobbsTime: '1', startTachTime: '1' };
    await saveDraft(db, admin, 'check-out', Object.entries(readings));
    const steps = async (step: number) => {
      const { $ } = await page(`/flight-log?step=${step}`);
      return $('nav[aria-label="Steps"] li')
        .toArray()
        .map((item) => {
          const name = $(item).find('a, button, span').first();
          return [
            textOf($(item)),
            name.prop('tagName'),
            name.attr('href') ?? name.attr('value'),
            name.attr('aria-current'),
          ];
        });
    };
    const [select, checkOut, review] = ['Select Aircraft', 'Check Out', 'Review & Save'];
    const later = [review, 'SPAN', undefined, undefined];
    expect(await steps(0)).toEqual([
      [select, 'A', '/flight-log?step=0', 'step'],
      [checkOut, 'SPAN', undefined, undefined],
      later,
    ]);
    expect(await steps(1)).toEqual([
      [`${select} (done)`, 'BUTTON', 'back', undefined],
      [checkOut, 'A', '/flight-log?step=1', 'step'],
      later,
    ]);
    expect(await steps(2)).toEqual([
      [`${select} (done)`, 'A', '/flight-log?step=0', undefined],
      [`${checkOut} (done)`, 'A', '/flight-log?step=1', undefined],
      [review, 'A', '/flight-log?step=2', 'step'],
    ]);
  });
});

describe('a table', () => {
  it('B174 B330: a table stays one to screen readers where its rows are cards: caption, roles and scopes', async () => {
    await makeFlight(db, admin, await makeAircraft(db, schoolId), {
      ...completed('2026-05-12T14:00Z', '2026-05-12T15:00Z'),
      completed_by: admin.id,
    });
    const { $ } = await page('/flight-logs');
    expect(textOf($('table[role="table"] caption'))).toBe('Flight logs, newest first');
    expect(
      $('th[scope="col"][role="columnheader"]')
        .toArray()
        .map((header) => textOf($(header))),
    ).toEqual(['Aircraft', 'Start Time', 'End Time', 'Duration', 'Instructor', 'Status']);
    expect([
      $('tr[role="row"]').length,
      $('tbody th[scope="row"][role="rowheader"]').length,
      $('td[role="cell"]').length,
    ]).toEqual([3, 1, 5]);
    expect(textOf($('tbody[role="rowgroup"] > tr:first-child > th[scope="rowgroup"][role="rowheader"]'))).toBe(
      'Tue 12 May 2026, UTC · 1 flight · 1.2 h Hobbs',
    );
  });
});

function choicesOf({ $ }: ServedDocument, name: string): string[] {
  return $(`select[name="${name}"] option`)
    .toArray()
    .map((option) => textOf($(option)));
}
