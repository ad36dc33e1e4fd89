import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { codedMeter } from '../coded-meter.ts';
import { drawBlankPhoto } from '../pictures.ts';
import { makeUser, PASSWORD } from '../school.ts';
import { inPath, type MatrixRow } from './cells.ts';
import type { Fixtures } from './fixtures.ts';
import { form } from './form.ts';
import { insertDelivery } from '../webhooks.ts';
import { signedOutFixtures } from './signed-out-fixtures.ts';

const meter = new File([new Uint8Array(await codedMeter('12345'))], 'meter.jpg', { type: 'image/jpeg' });
const receipt = new File([new Uint8Array(await drawBlankPhoto())], 'receipt.jpg', { type: 'image/jpeg' });

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

  const ofAircraft = { id: inPath(fixtures.aircraft) };
  return [
    form('POST /school-settings/import/:id undo', 'manage school', {
      id: inPath(appliedImport),
      fields: { intent: 'undo' },
    }),
    form('POST /login', 'anyRole', {
      at: '/login?to=%2Fusers',
      id: inPath(account),
      fields: (id) => ({ username: username(id), password: PASSWORD, sharedComputer: 'on', requestId }),
    }),
    form('POST /auth', 'anyRole', {
      id: inPath(account),
      fields: (id) => ({ username: username(id), password: PASSWORD }),
    }),
    form('POST /register', 'anyRole', {
      at: (id) => `/register?token=${token(id)}`,
      id: inPath(invited),
      fields: (id) => ({ token: token(id), username: `new-${id}`, ...passwords, requestId }),
    }),
    form('POST /reset-password', 'anyRole', {
      id: inPath(passwordLink),
      fields: (id) => ({ token: token(id), ...passwords, requestId }),
    }),
    ...['new-codes', 'remove'].map((intent) =>
      form(`POST /account/second-factor ${intent}`, 'anyRole', {
        success: 400,
        fields: { intent, currentPassword: 'wrong', code: '000000' },
      }),
    ),
    form('POST /login/code', 'anyRole', { fields: { code: '123456', requestId } }),
    form('POST /login/passkey', 'anyRole', {
      ...{ signedOut: 400, success: 400 },
      fields: { response: '{}', sharedComputer: 'on' },
    }),
    form('POST /account/passkey add', 'anyRole', { success: 400, fields: { intent: 'add', response: '{}' } }),
    form('POST /forgot-password', 'anyRole', { fields: { username: 'nobody', requestId } }),
    form('POST /drafts of a check-out', 'anyRole', {
      success: 200,
      ...ofAircraft,
      fields: (aircraftId) => ({
        ...{ typedForm: '/flight-log#read-meters', aircraftId, startHobbsTime: '1', startTachTime: 'x' },
      }),
    }),
    form('POST /drafts of a check-in', 'anyRole', {
      success: 200,
      id: inPath(fixtures.openFlight),
      fields: (id) => ({ typedForm: `/flight-log/${id}/post-check#check-in`, endHobbsTime: '1', notes: 'x' }),
    }),
    form('POST /drafts', 'anyRole', { success: 200, fields: { typedForm: '/school-settings#school', name: 'Ours' } }),
    form('POST /unsent/send', 'anyRole', { success: 403, fields: { unsentOwner: 'nobody' } }),
    form('POST /school-settings/webhooks/:id send-again', 'manage school', {
      id: inPath(webhookWithDelivery),
      fields: () => ({ intent: 'send-again', deliveryId, requestId }),
    }),
    form('POST /photos/:id', 'anyRole', { at: '/photos/1', success: 405, fields: { a: 'b' } }),
    form('POST an unknown page', 'anyRole', { at: '/no/such/page', success: 404, fields: { a: 'b' } }),
    form('POST /flight-log use-last-hobbs', 'anyRole', {
      at: '/flight-log?step=1',
      ...ofAircraft,
      fields: (aircraftId) => ({ aircraftId, startHobbsTime: '', startTachTime: '1', intent: 'use-last-hobbs' }),
    }),
    ...['use-last-tach', 'back'].map((intent) =>
      form(`POST /flight-log ${intent}`, 'anyRole', {
        at: '/flight-log?step=1',
        ...ofAircraft,
        fields: (aircraftId) => ({ aircraftId, startHobbsTime: '1', startTachTime: '', intent }),
      }),
    ),
    form('POST /flight-log with every field', 'anyRole', {
      at: '/flight-log?step=2',
      ...ofAircraft,
      fields: (aircraftId) => ({
        ...{ aircraftId, startHobbsTime: '1', startTachTime: '2', startHobbsScan: '1', startTachScan: '1' },
        ...{ readAgain: 'on', requestId },
      }),
    }),
    form('POST /flight-log/:id/post-check with every field', 'anyRole', {
      id: inPath(flightWithInstructor),
      fields: () => ({
        ...{ endHobbsTime: '101.2', endTachTime: '91,0', endHobbsScan: '1', endTachScan: '1' },
        ...{ endHobbsPhoto: new File([], ''), refueled: 'on', fuelReceiptImage: receipt, fuelNotes: 'Self-serve' },
        ...{ oilAdded: 'on', oilQuantity: '1.5', instructorId, instructorTimeIn: '13:45', instructorTimeOut: '15:30' },
        ...{ groundSchoolTime: '0.25', notes: 'Left brake soft.', requestId },
      }),
    }),
    form('POST /flight-log read-hobbs', 'anyRole', {
      at: '/flight-log?step=1',
      ...ofAircraft,
      fields: (aircraftId) => ({
        ...{ aircraftId, startHobbsTime: '', startTachTime: '2', startHobbsPhoto: meter, intent: 'read-hobbs' },
      }),
    }),
    form('POST /flight-log/:id/post-check read-tach', 'anyRole', {
      id: inPath(fixtures.openFlight),
      fields: { endTachPhoto: meter, intent: 'read-tach', notes: 'x' },
    }),
    form('POST /flight-logs/:id/correct save', 'anyRole', {
      success: 409,
      id: inPath(fixtures.completedFlight),
      fields: {
        ...{ startHobbsTime: '100', startTachTime: '90', endHobbsTime: '500', endTachTime: '490', reason: 'Misread' },
        ...{ intent: 'save', seen: 'x', requestId },
      },
    }),
    form('POST /ocr/:id/save with every field', 'save last readings', {
      id: inPath(fixtures.scan),
      fields: { reason: 'New meter', requestId },
    }),
    form('POST /users/invitations resend-invitation', 'manage invitations', {
      id: inPath(fixtures.invitation),
      fields: (invitationId) => ({ intent: 'resend-invitation', invitationId }),
    }),
  ];
}
