import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { codedMeter } from '../coded-meter.ts';
import { drawBlankPhoto } from '../pictures.ts';
import { formRequest } from '../requests.ts';
import { makeUser, PASSWORD } from '../school.ts';
import { inPath, type MatrixRow } from './cells.ts';
import type { Fixtures } from './fixtures.ts';
import { insertDelivery } from '../webhooks.ts';
import { signedOutFixtures } from './signed-out-fixtures.ts';

const ORIGIN = 'http://localhost:3000';
const meter = new File([new Uint8Array(await codedMeter('12345'))], 'meter.jpg', { type: 'image/jpeg' });
const receipt = new File([new Uint8Array(await drawBlankPhoto())], 'receipt.jpg', { type: 'image/jpeg' });

const post = (path: string, fields: Record<string, string>) => (cookie: string) => formRequest(path, fields, cookie);
const upload = (path: string, fields: Record<string, string | File>) => (cookie: string) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return new Request(ORIGIN + path, { method: 'POST', headers: { cookie, origin: ORIGIN }, body });
};
const row = (
  name: string,
  valid: MatrixRow['valid'],
  own?: (owner: Member) => Promise<number>,
  rest: Partial<MatrixRow> = {},
): MatrixRow => ({
  ...{ name, can: 'anyRole', signedOut: 303, success: 303, valid, ...rest },
  ...(own && { id: inPath(own) }),
});

const passwords = { password: 'long enough', confirmPassword: 'long enough' };
const requestId = 'b8a3a5a0-6f0e-4f6c-9a53-0d5b6e9c1f00';

/** Forms beside those of the permission matrix, and some of its forms with every field they have. */
export function furtherFormRows(db: Db, fixtures: Fixtures): MatrixRow[] {
  const { token, username, invited, passwordLink, account } = signedOutFixtures(db);
  let instructorId = '';
  let deliveryId = '';
  const webhookWithDelivery = async (owner: Member) => {
    const webhookId = await fixtures.webhook(owner);
    deliveryId = String(await insertDelivery(db, { schoolId: owner.schoolId, webhookId }));
    return webhookId;
  };
  const flightWithInstructor = async (owner: Member) => {
    instructorId = String((await makeUser(db, owner.schoolId, 'instructor')).id);
    return fixtures.openFlight(owner);
  };

  const appliedImport = async (owner: Member) => {
    const id = await fixtures.importedFile(owner);
    await db.updateTable('imports').set({ state: 'applied', applied_at: new Date() }).where('id', '=', id).execute();
    return id;
  };

  return [
    row(
      'POST /school-settings/import/:id undo',
      (id) => post(`/school-settings/import/${id}`, { intent: 'undo' }),
      appliedImport,
      { can: 'manage school' },
    ),
    row(
      'POST /login',
      (id) =>
        post('/login?to=%2Fusers', { username: username(id), password: PASSWORD, sharedComputer: 'on', requestId }),
      account,
    ),
    row('POST /auth', (id) => post('/auth', { username: username(id), password: PASSWORD }), account),
    row(
      'POST /register',
      (id) =>
        post(`/register?token=${token(id)}`, { token: token(id), username: `new-${id}`, ...passwords, requestId }),
      invited,
    ),
    row(
      'POST /reset-password',
      (id) => post('/reset-password', { token: token(id), ...passwords, requestId }),
      passwordLink,
    ),
    ...['new-codes', 'remove'].map((intent) =>
      row(
        `POST /account/second-factor ${intent}`,
        () => post('/account/second-factor', { intent, currentPassword: 'wrong', code: '000000' }),
        undefined,
        { success: 400 },
      ),
    ),
    row('POST /login/code', () => post('/login/code', { code: '123456', requestId })),
    row('POST /login/passkey', () => post('/login/passkey', { response: '{}', sharedComputer: 'on' }), undefined, {
      signedOut: 400,
      success: 400,
    }),
    row('POST /account/passkey add', () => post('/account/passkey', { intent: 'add', response: '{}' }), undefined, {
      success: 400,
    }),
    row('POST /forgot-password', () => post('/forgot-password', { username: 'nobody', requestId })),
    row(
      'POST /drafts of a check-out',
      (id) =>
        post('/drafts', {
          typedForm: '/flight-log#read-meters',
          aircraftId: id,
          startHobbsTime: '1',
          startTachTime: 'x',
        }),
      fixtures.aircraft,
      { success: 200 },
    ),
    row(
      'POST /drafts of a check-in',
      (id) => post('/drafts', { typedForm: `/flight-log/${id}/post-check#check-in`, endHobbsTime: '1', notes: 'x' }),
      fixtures.openFlight,
      { success: 200 },
    ),
    row('POST /drafts', () => post('/drafts', { typedForm: '/school-settings#school', name: 'Ours' }), undefined, {
      success: 200,
    }),
    row('POST /unsent/send', () => post('/unsent/send', { unsentOwner: 'nobody' }), undefined, { success: 403 }),
    row(
      'POST /school-settings/webhooks/:id send-again',
      (id) => post(`/school-settings/webhooks/${id}`, { intent: 'send-again', deliveryId, requestId }),
      webhookWithDelivery,
      { can: 'manage school' },
    ),
    row('POST /photos/:id', () => post('/photos/1', { a: 'b' }), undefined, { success: 405 }),
    row('POST an unknown page', () => post('/no/such/page', { a: 'b' }), undefined, { success: 404 }),
    row(
      'POST /flight-log use-last-hobbs',
      (id) =>
        post('/flight-log?step=1', {
          aircraftId: id,
          startHobbsTime: '',
          startTachTime: '1',
          intent: 'use-last-hobbs',
        }),
      fixtures.aircraft,
    ),
    row(
      'POST /flight-log use-last-tach',
      (id) =>
        post('/flight-log?step=1', { aircraftId: id, startHobbsTime: '1', startTachTime: '', intent: 'use-last-tach' }),
      fixtures.aircraft,
    ),
    row(
      'POST /flight-log back',
      (id) => post('/flight-log?step=1', { aircraftId: id, startHobbsTime: '1', startTachTime: '', intent: 'back' }),
      fixtures.aircraft,
    ),
    row(
      'POST /flight-log with every field',
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
      fixtures.aircraft,
    ),
    row(
      'POST /flight-log/:id/post-check with every field',
      (id) =>
        upload(`/flight-log/${id}/post-check`, {
          ...{
            endHobbsTime: '101.2',
            endTachTime: '91,0',
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
    row(
      'POST /flight-log read-hobbs',
      (id) =>
        upload('/flight-log?step=1', {
          aircraftId: id,
          startHobbsTime: '',
          startTachTime: '2',
          startHobbsPhoto: meter,
          intent: 'read-hobbs',
        }),
      fixtures.aircraft,
    ),
    row(
      'POST /flight-log/:id/post-check read-tach',
      (id) => upload(`/flight-log/${id}/post-check`, { endTachPhoto: meter, intent: 'read-tach', notes: 'x' }),
      fixtures.openFlight,
    ),
    row(
      'POST /flight-logs/:id/correct save',
      (id) =>
        post(`/flight-logs/${id}/correct`, {
          ...{ startHobbsTime: '100', startTachTime: '90', endHobbsTime: '500', endTachTime: '490', reason: 'Misread' },
          ...{ intent: 'save', seen: 'x', requestId },
        }),
      fixtures.completedFlight,
      { success: 409 },
    ),
    row(
      'POST /ocr/:id/save with every field',
      (id) => post(`/ocr/${id}/save`, { reason: 'New meter', requestId }),
      fixtures.scan,
      { can: 'save last readings' },
    ),
    row(
      'POST /users/invitations resend-invitation',
      (id) => post('/users/invitations', { intent: 'resend-invitation', invitationId: id }),
      fixtures.invitation,
      { can: 'manage invitations' },
    ),
  ];
}
