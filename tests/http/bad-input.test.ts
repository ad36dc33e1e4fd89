import { afterAll, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { stopTesseract } from '#app/domain/meters/tesseract.server.ts';
import { ROLES } from '#db/roles.ts';
import { survivesBadInput } from '#tests/support/bad-input.ts';
import { testDatabase } from '#tests/support/database.ts';
import { inPath, type Line } from '#tests/support/matrix.ts';
import { screenLines } from '#tests/support/matrix-screens.ts';
import { matrixWorld } from '#tests/support/matrix-world.ts';
import { blank, plate } from '#tests/support/pictures.ts';
import { formRequest } from '#tests/support/requests.ts';
import { actionPaths, pathOfRoute } from '#tests/support/routes.ts';
import { makeUser, PASSWORD } from '#tests/support/school.ts';
import { strangers } from '#tests/support/strangers.ts';

const { db } = await testDatabase();
const { play: _play, ...world } = await matrixWorld(db);
const { token, username, invited, withLink, account } = strangers(db);
const meter = new File([new Uint8Array(await plate('1234.5'))], 'meter.jpg', { type: 'image/jpeg' });
const receipt = new File([new Uint8Array(await blank())], 'receipt.jpg', { type: 'image/jpeg' });
afterAll(() => stopTesseract());

const post = (path: string, fields: Record<string, string>) => (cookie: string) => formRequest(path, fields, cookie);
const upload = (path: string, fields: Record<string, string | File>) => (cookie: string) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return new Request(`http://localhost:3000${path}`, {
    method: 'POST',
    headers: { cookie, origin: 'http://localhost:3000' },
    body,
  });
};
const line = (
  name: string,
  good: Line['good'],
  own?: (owner: Member) => Promise<number>,
  rest: Partial<Line> = {},
): Line => ({
  ...{ name, may: ROLES, nobody: 303, ok: 303, good, ...rest },
  ...(own && { id: inPath(own) }),
});
const byAdministrators = { may: ['administrator'] as const };

let instructorId = '';
async function flightWithInstructor(owner: Member): Promise<number> {
  instructorId = String((await makeUser(db, owner.schoolId, 'instructor')).id);
  return world.flight(owner);
}

const passwords = { password: 'long enough', confirmPassword: 'long enough' };
const requestId = 'b8a3a5a0-6f0e-4f6c-9a53-0d5b6e9c1f00';

/** Forms beside those of the matrix, and some of them with every field they have. */
const MORE: Line[] = [
  line(
    'POST /login',
    (id) => post('/login?to=%2Fusers', { username: username(id), password: PASSWORD, sharedComputer: 'on', requestId }),
    account,
  ),
  line('POST /auth', (id) => post('/auth', { username: username(id), password: PASSWORD }), account),
  line(
    'POST /register',
    (id) => post(`/register?token=${token(id)}`, { token: token(id), username: `new-${id}`, ...passwords, requestId }),
    invited,
  ),
  line(
    'POST /reset-password',
    (id) => post('/reset-password', { token: token(id), ...passwords, requestId }),
    withLink,
  ),
  line(
    'keeping what is typed in the wizard',
    (id) => post('/flight-log/draft', { aircraftId: id, startHobbsTime: '1', startTachTime: 'x' }),
    world.aircraft,
    { ok: 204 },
  ),
  line(
    'keeping what is typed at check-in',
    (id) => post(`/flight-log/${id}/draft`, { endHobbsTime: '1', notes: 'x' }),
    world.flight,
    { ok: 204 },
  ),
  line('POST /photos/:id', () => post('/photos/1', { a: 'b' }), undefined, { ok: 405 }),
  line('POST an unknown page', () => post('/no/such/page', { a: 'b' }), undefined, { ok: 404 }),
  line(
    "'Use last reading'",
    (id) =>
      post('/flight-log?step=1', { aircraftId: id, startHobbsTime: '1', startTachTime: '', intent: 'use-last-tach' }),
    world.aircraft,
  ),
  line(
    "'Back' in the wizard",
    (id) => post('/flight-log?step=1', { aircraftId: id, startHobbsTime: '1', startTachTime: '', intent: 'back' }),
    world.aircraft,
  ),
  line(
    'POST /flight-log, whole',
    (id) =>
      post('/flight-log?step=2', {
        aircraftId: id,
        startHobbsTime: '1',
        startTachTime: '2',
        startHobbsScan: '1',
        startTachScan: '1',
        readAgain: 'on',
        requestId,
      }),
    world.aircraft,
  ),
  line(
    'POST /flight-log/:id/post-check, whole',
    (id) =>
      upload(`/flight-log/${id}/post-check`, {
        ...{
          endHobbsTime: '500.0',
          endTachTime: '490,5',
          endHobbsScan: '1',
          endTachScan: '1',
          endHobbsPhoto: new File([], ''),
        },
        ...{ refueled: 'on', fuelReceiptImage: receipt, fuelNotes: 'Self-serve', oilAdded: 'on', oilQuantity: '1.5' },
        ...{ instructorId, instructorTimeIn: '13:45', instructorTimeOut: '15:30', groundSchoolTime: '0.25' },
        ...{ notes: 'Left brake soft.', requestId },
      }),
    flightWithInstructor,
  ),
  line(
    'saving a correction',
    (id) =>
      post(`/flight-logs/${id}/correct`, {
        ...{ startHobbsTime: '100', startTachTime: '90', endHobbsTime: '500', endTachTime: '490', reason: 'Misread' },
        ...{ intent: 'save', seen: 'x', requestId },
      }),
    world.flown,
    { ok: 409 },
  ),
  line(
    'saving a scan',
    (id) => post(`/ocr/${id}/save`, { reason: 'New meter', requestId }),
    world.scan,
    byAdministrators,
  ),
  line(
    'sending an invitation again',
    (id) => post('/users/invitations', { intent: 'resend-invitation', invitationId: id }),
    world.invitation,
    byAdministrators,
  ),
];

/** The engine takes its time, and has a limit of its own. */
const READ_PHOTOS: Line[] = [
  line(
    "'Read photo' in the wizard",
    (id) =>
      upload('/flight-log?step=1', {
        aircraftId: id,
        startHobbsTime: '',
        startTachTime: '2',
        startHobbsPhoto: meter,
        intent: 'read-hobbs',
      }),
    world.aircraft,
  ),
  line(
    "'Read photo' at check-in",
    (id) => upload(`/flight-log/${id}/post-check`, { endTachPhoto: meter, intent: 'read-tach', notes: 'x' }),
    world.flight,
  ),
];

const lines = screenLines(world);
const scans = lines.filter(({ name }) => name === 'POST /ocr');

it('B239: no form of a screen is left out', () => {
  const sent = [...lines, ...MORE, ...READ_PHOTOS]
    .map(({ good }) => good('1')(''))
    .filter(({ method }) => method === 'POST');
  expect(new Set(sent.map((request) => pathOfRoute(request)))).toEqual(new Set(actionPaths));
});

survivesBadInput(db, [...lines.filter((other) => !scans.includes(other)), ...MORE]);
survivesBadInput(db, [...scans, ...READ_PHOTOS], { within: 60_000 });
