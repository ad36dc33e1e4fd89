import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { addAircraft, deleteAircraft, setAircraftStatus } from '#app/domain/aircraft/change-aircraft.server.ts';
import { saveLastReading } from '#app/domain/aircraft/save-last-reading.server.ts';
import { recordExport } from '#app/domain/audit/record-export.server.ts';
import { makeCalendarLink, removeCalendarLink } from '#app/domain/calendar/queries.server.ts';
import { cancelCheckOut } from '#app/domain/flights/cancel-check-out.server.ts';
import { closeFlight, completeFlight } from '#app/domain/flights/end-flight.server.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { correctFlight, previewCorrection } from '#app/domain/flights/correction/correct-flight.server.ts';
import { enterPastFlight } from '#app/domain/flights/past/enter-past-flight.server.ts';
import { CHECK_OUT_DRAFT_KEY, startFlight } from '#app/domain/flights/start-flight.server.ts';
import {
  changeInvitation,
  deleteInvitation,
  resendInvitation,
  sendInvitation,
} from '#app/domain/invitations/change-invitation.server.ts';
import { scanMeter } from '#app/domain/meters/scan-meter.server.ts';
import { addUser, changeUser, deleteUser } from '#app/domain/people/change-user.server.ts';
import {
  changeOwnEmail,
  changeOwnName,
  changeOwnPassword,
  saveSingleKeys,
} from '#app/domain/people/own-account.server.ts';
import { addAccessToken, removeAccessToken } from '#app/domain/people/access-tokens/change-access-tokens.server.ts';
import { insertAccessToken } from './access-tokens.ts';
import { addPasskey, removePasskey } from '#app/domain/people/passkeys/change-passkeys.server.ts';
import { insertPasskey } from './passkey-rows.ts';
import {
  addSecondFactor,
  removeLostSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
} from '#app/domain/people/second-factor/change-second-factor.server.ts';
import { makeSecondFactor } from './second-factor.ts';
import { endOwnSession, signOutEverywhere, signOutUser } from '#app/domain/people/end-sessions.server.ts';
import { makeSession } from './sessions.ts';
import { sendPasswordLink } from '#app/domain/people/reset-password.server.ts';
import { declareMeterChange } from '#app/domain/readings/declare-meter-change.server.ts';
import { changeImport, removeImport } from '#app/domain/imports/change-import.server.ts';
import { NO_OPTIONS } from '#app/domain/imports/options.server.ts';
import { requestApply, requestUndo } from '#app/domain/imports/request-import.server.ts';
import { runImport } from '#app/domain/imports/run-import.server.ts';
import { uploadImport } from '#app/domain/imports/upload-import.server.ts';
import { requireFileImport } from '#app/domain/imports/queries.server.ts';
import {
  addInspection,
  changeInspection,
  completeInspection,
  removeInspection,
} from '#app/domain/inspections/save-inspection.server.ts';
import { addSquawk } from '#app/domain/squawks/add-squawk.server.ts';
import { changeSquawk, fixSquawksTogether } from '#app/domain/squawks/change-squawk.server.ts';
import { findSchoolName } from '#app/domain/school/queries.server.ts';
import { askForSchoolRemoval, callOffSchoolRemoval } from '#app/domain/school/school-removal.server.ts';
import { saveSchool } from '#app/domain/school/save-school.server.ts';
import { completed, makeFlight } from './flight.ts';
import { archiveCases } from './archive/archive-cases.ts';
import { byAdministrators, byAll, byInstructors, type OperationCase } from './operation-case.ts';
import { webhookCases } from './webhook-cases.ts';
import { makeInvitation } from './invitation.ts';
import { codedMeter } from './coded-meter.ts';
import { makeAircraft, makeUser } from './school.ts';

const image = await codedMeter('12345');
const FLEET_FILE = { content: Buffer.from('Tail Number,Make,Model,Year\nN1,Cessna,152,1980'), name: 'fleet.csv' };

const START = { startHobbsTime: '100.0', startTachTime: '90.0' };
const END = { endHobbsTime: '101.2', endTachTime: '91.0' };
const HUNDRED_HOURS = {
  name: '100 h',
  due: { at: 'tach', value: '100' },
  interval: { count: 100, unit: 'hours' },
} as const;
const RECENTLY = completed(hoursAgo(2), hoursAgo(1));

/** Every operation that a user runs on `db`, in a school of its own; `source` is a pool on the same database. */
export const operationCases = (db: Db, source = db): OperationCase[] => [
  byAdministrators(
    'aircraft/change-aircraft to add one',
    async () => (actor, key) =>
      addAircraft(db, actor, { tailNumber: 'N1', make: 'Cessna', model: '172S', year: 2004 }, key),
  ),
  byAdministrators('aircraft/change-aircraft to delete one', async ({ schoolId }) => {
    const id = await makeAircraft(db, schoolId);
    return (actor, key) => deleteAircraft(db, actor, id, key);
  }),
  byAdministrators('aircraft/change-aircraft that has flown', async (user) => {
    const id = await makeAircraft(db, user.schoolId);
    await makeFlight(db, user, id, RECENTLY);
    await makeCalendarLink(db, user, id);
    return (actor, key) => deleteAircraft(db, actor, id, key);
  }),
  byAdministrators('aircraft/change-aircraft to set the status', async ({ schoolId }) => {
    const id = await makeAircraft(db, schoolId);
    return (actor, key) => setAircraftStatus(db, actor, id, { status: 'maintenance' }, key);
  }),
  byInstructors('aircraft/save-last-reading', async ({ schoolId }) => {
    const aircraftId = await makeAircraft(db, schoolId);
    return (actor, key) => saveLastReading(db, actor, { aircraftId, meterType: 'hobbs', reading: '12.3' }, key);
  }),
  byAll('calendar/queries to make one', async ({ schoolId }) => {
    const aircraftId = await makeAircraft(db, schoolId);
    return async (actor, key) => ({ secret: await makeCalendarLink(db, actor, aircraftId, key) });
  }),
  byAll('calendar/queries to remove one', async (user) => {
    const aircraftId = await makeAircraft(db, user.schoolId);
    await makeCalendarLink(db, user, aircraftId);
    return (actor, key) => removeCalendarLink(db, actor, aircraftId, key);
  }),
  byAll('flights/start-flight', async ({ schoolId }) => {
    const aircraftId = await makeAircraft(db, schoolId);
    return (actor, key) => startFlight(db, actor, { aircraftId, ...START }, key);
  }),
  byAll('flights/end-flight to complete', async (pilot) => {
    const id = await makeFlight(db, pilot, await makeAircraft(db, pilot.schoolId));
    return (actor, key) => completeFlight(db, actor, id, END, key);
  }),
  byAdministrators('flights/cancel-check-out', async ({ schoolId }) => {
    const id = await makeFlight(db, await makeUser(db, schoolId), await makeAircraft(db, schoolId));
    return (actor, key) => cancelCheckOut(db, actor, id, { reason: 'Fog' }, key);
  }),
  byAdministrators('flights/end-flight to close', async ({ schoolId }) => {
    const id = await makeFlight(db, await makeUser(db, schoolId), await makeAircraft(db, schoolId));
    return (actor, key) => closeFlight(db, actor, id, { ...END, reason: 'Left for home' }, key);
  }),
  byAdministrators('flights/past/enter-past-flight', async ({ id: pilotId, schoolId }) => {
    const aircraftId = await makeAircraft(db, schoolId);
    const times = { departedAt: '2026-05-12T10:00:00Z', landedAt: '2026-05-12T11:00:00Z' };
    const flown = { ...START, ...END, ...times, aircraftId, pilotId, reason: 'On paper' };
    return (actor, key) => enterPastFlight(db, actor, flown, key);
  }),
  byAdministrators('readings/declare-meter-change', async ({ schoolId }) => {
    const id = await makeAircraft(db, schoolId);
    const change = { meter: 'hobbs', reason: 'replaced', oldLast: '1234.7', newFirst: '0.0' } as const;
    return (actor, key) => declareMeterChange(db, actor, id, change, key);
  }),
  byAdministrators('flights/correction/correct-flight', async (actor) => {
    const pilot = await makeUser(db, actor.schoolId);
    const id = await makeFlight(db, pilot, await makeAircraft(db, actor.schoolId), RECENTLY);
    const correction = { ...START, ...END, endHobbsTime: '102.0', reason: 'Misread' };
    const { digest } = await previewCorrection(db, actor, id, correction);
    return (corrector, key) =>
      correctFlight(db, corrector, id, correction, key, { isConfirmed: true, previewDigest: digest });
  }),
  byAdministrators('audit/record-export', async () => (actor) => recordExport(db, actor, 'exported activity', {})),
  byAdministrators(
    'invitations/change-invitation to send',
    async () => (actor, key) =>
      sendInvitation(db, actor, { name: 'Ida', email: 'ida@invited.example', role: 'student' }, key),
  ),
  byAdministrators('invitations/change-invitation to resend one', async (inviter) => {
    const { id } = await makeInvitation(db, inviter);
    return (actor, key) => resendInvitation(db, actor, id, key);
  }),
  byAdministrators('invitations/change-invitation to change one', async (inviter) => {
    const { id } = await makeInvitation(db, inviter);
    return (actor, key) => changeInvitation(db, actor, id, { email: 'other@invited.example' }, key);
  }),
  byAdministrators('invitations/change-invitation to delete one', async (inviter) => {
    const { id } = await makeInvitation(db, inviter);
    return (actor, key) => deleteInvitation(db, actor, id, key);
  }),
  byAll('meters/scan-meter', async ({ schoolId }) => {
    const aircraftId = await makeAircraft(db, schoolId);
    return (actor, key) => scanMeter(db, actor, { aircraftId, meterType: 'hobbs', image }, key);
  }),
  byAll('squawks/add-squawk', async ({ schoolId }) => {
    const aircraftId = await makeAircraft(db, schoolId);
    return (actor, key) => addSquawk(db, actor, { aircraftId, text: 'Left brake soft.', unsafe: true }, key);
  }),
  byAdministrators('squawks/change-squawk', async (administrator) => {
    const aircraftId = await makeAircraft(db, administrator.schoolId);
    const { id } = await addSquawk(db, administrator, { aircraftId, text: 'Left brake soft.' });
    return (actor, key) => changeSquawk(db, actor, id, { state: 'fixed', remark: 'New pads' }, key);
  }),
  byAdministrators('squawks/change-squawk together', async (administrator) => {
    const aircraftId = await makeAircraft(db, administrator.schoolId);
    const { id } = await addSquawk(db, administrator, { aircraftId, text: 'Left brake soft.' });
    return (actor, key) => fixSquawksTogether(db, actor, [id], { remark: 'New pads' }, key);
  }),
  byAdministrators(
    'imports/upload-import',
    async () => (actor, key) => uploadImport(db, { member: actor }, FLEET_FILE, 'fleet', { key }),
  ),
  byAdministrators('imports/request-import', async (administrator) => {
    const { id } = await uploadImport(db, { member: administrator }, FLEET_FILE, 'fleet');
    return (actor, key) => requestApply(db, { member: actor }, id, NO_OPTIONS, key);
  }),
  byAdministrators('imports/request-import to undo one', async (administrator) => {
    const importer = { member: administrator };
    const { id } = await uploadImport(db, importer, FLEET_FILE, 'fleet');
    await requestApply(db, importer, id, NO_OPTIONS);
    await runImport({ work: db, progress: db }, { id, schoolId: administrator.schoolId });
    return (actor, key) => requestUndo(db, { member: actor }, id, key);
  }),
  byAdministrators('imports/change-import to change options', async (administrator) => {
    const { id } = await uploadImport(db, { member: administrator }, FLEET_FILE, 'fleet');
    const { kind, answers } = await requireFileImport(db, administrator.schoolId, id);
    const options = { ...NO_OPTIONS, leaveOutRefused: true };
    return (actor, key) => changeImport(db, actor, id, { kind, answers, options }, key);
  }),
  byAdministrators('imports/change-import to remove the file', async (administrator) => {
    const { id } = await uploadImport(db, { member: administrator }, FLEET_FILE, 'fleet');
    return (actor, key) => removeImport(db, actor, id, key);
  }),
  byAdministrators('inspections/save-inspection to add', async ({ schoolId }) => {
    const aircraftId = await makeAircraft(db, schoolId);
    return (actor, key) => addInspection(db, actor, aircraftId, HUNDRED_HOURS, key);
  }),
  byAdministrators('inspections/save-inspection to change one', async (administrator) => {
    const { id } = await makeInspection(db, administrator);
    const input = { ...HUNDRED_HOURS, due: { at: 'tach', value: '200' } } as const;
    return (actor, key) => changeInspection(db, actor, id, input, key);
  }),
  byAdministrators('inspections/save-inspection to remove one', async (administrator) => {
    const { id } = await makeInspection(db, administrator);
    return (actor, key) => removeInspection(db, actor, id, key);
  }),
  byAdministrators('inspections/save-inspection to complete', async (administrator) => {
    const { id } = await makeInspection(db, administrator);
    return (actor, key) => completeInspection(db, actor, id, { reading: '99', doneOn: '2026-05-12' }, key);
  }),
  byAdministrators('people/change-user to add', async () => (actor, key) => {
    const login = { username: `new-${actor.id}`, password: 'gull-9' };
    return addUser(db, actor, { ...login, email: 'new@b.example', role: 'student' }, key);
  }),
  byAdministrators('people/change-user to change', async ({ schoolId }) => {
    const { id } = await makeUser(db, schoolId);
    return (actor, key) => changeUser(db, actor, id, { role: 'instructor', email: `x-${id}@b.example` }, key);
  }),
  byAdministrators('people/change-user who is an administrator no more', async ({ schoolId }) => {
    const id = await makeAdministratorWithEverything(db, schoolId);
    return (actor, key) => changeUser(db, actor, id, { role: 'student' }, key);
  }),
  byAll(
    'people/own-account to change the name',
    async () => (actor, key) => changeOwnName(db, actor, { name: 'Ivan Berg' }, key),
  ),
  byAll(
    'people/own-account to change the password',
    async (user) => (actor, key) =>
      changeOwnPassword(db, actor, { password: 'another long one', verified: verified(user) }, key),
  ),
  byAll(
    'people/own-account to change the address',
    async (user) => (actor, key) =>
      changeOwnEmail(db, actor, { email: `new-${user.id}@b.example`, verified: verified(user) }, key),
  ),
  byAll('people/own-account to save the keys', async () => (actor, key) => saveSingleKeys(db, actor, false, key)),
  byAll(
    'people/second-factor/change-second-factor to add one',
    async () => (actor) => addSecondFactor(db, actor, { secret: 'JBSWY3DPEHPK3PXP', step: 1, codeHashes: ['a'] }),
  ),
  byAll('people/second-factor/change-second-factor to remove one', async (user) => {
    await makeSecondFactor(db, user);
    return (actor) => removeSecondFactor(db, actor, { verified: verified(user) });
  }),
  byAll('people/second-factor/change-second-factor to replace the codes', async (user) => {
    await makeSecondFactor(db, user);
    return (actor) => replaceRecoveryCodes(db, actor, { codeHashes: ['b'], verified: verified(user) });
  }),
  byAll(
    'people/passkeys/change-passkeys to add one',
    async (user) => (actor) =>
      addPasskey(db, actor, {
        name: 'Phone',
        passkey: { id: `new-${user.id}`, publicKey: new Uint8Array([1]), counter: 0, backedUp: false },
        verified: verified(user),
      }),
  ),
  byAll('people/passkeys/change-passkeys to remove one', async (user) => {
    const id = await insertPasskey(db, user);
    return (actor, key) => removePasskey(db, actor, id, key);
  }),
  byAll('people/access-tokens/change-access-tokens to add one', async () => async (actor) => ({
    token: await addAccessToken(db, actor, { name: 'Books', scope: 'read', days: 90 }),
  })),
  byAll('people/access-tokens/change-access-tokens to remove one', async (user) => {
    const id = await insertAccessToken(db, user);
    return (actor, key) => removeAccessToken(db, actor, id, key);
  }),
  ...archiveCases(db, source),
  ...webhookCases(db),
  byAll('people/end-sessions to end one', async (user) => {
    const number = await makeSession(db, user);
    return (actor, key) => endOwnSession(db, actor, number, key);
  }),
  byAll('people/end-sessions to end all', async (user) => {
    await makeSession(db, user);
    return (actor, key) => signOutEverywhere(db, actor, key);
  }),
  byAdministrators('people/change-user to delete', async ({ schoolId }) => {
    const { id } = await makeUser(db, schoolId);
    return (actor, key) => deleteUser(db, actor, id, key);
  }),
  byAdministrators('people/change-user who has everything', async ({ schoolId }) => {
    const id = await makeAdministratorWithEverything(db, schoolId);
    // Where the actor is deleted, the school still has an administrator.
    await makeUser(db, schoolId, 'administrator');
    return (actor, key) => deleteUser(db, actor, id, key);
  }),
  byAdministrators('people/reset-password', async ({ schoolId }) => {
    const { id } = await makeUser(db, schoolId);
    return (actor, key) => sendPasswordLink(db, actor, id, key);
  }),
  byAdministrators('people/second-factor/change-second-factor to remove a lost one', async ({ schoolId }) => {
    const { id } = await makeUser(db, schoolId);
    await db.insertInto('second_factors').values({ user_id: id, secret: 'lost', last_step: 0 }).execute();
    return (actor, key) => removeLostSecondFactor(db, actor, id, key);
  }),
  byAdministrators('people/end-sessions to end those of a user', async ({ schoolId }) => {
    const { id } = await makeUser(db, schoolId);
    return (actor, key) => signOutUser(db, actor, id, key);
  }),
  byAdministrators(
    'school/save-school',
    async () => (actor, key) =>
      saveSchool(db, actor, { name: 'Cascade', address: '2 Field Road', phone: '555 0199' }, key),
  ),
  byAdministrators('school/school-removal to ask for it', async (administrator) => {
    await recordExport(db, administrator, 'exported everything', {});
    const schoolName = await findSchoolName(db, administrator.schoolId);
    return (actor, key) => askForSchoolRemoval(db, actor, { schoolName }, key);
  }),
  byAdministrators('school/school-removal to call it off', async ({ schoolId }) => {
    const removal_due_at = new Date(Date.now() + 86_400_000);
    await db.updateTable('schools').set({ removal_due_at }).where('id', '=', schoolId).execute();
    return (actor, key) => callOffSchoolRemoval(db, actor, key);
  }),
];

async function makeInspection(db: Db, administrator: Member): Promise<{ id: number }> {
  return addInspection(db, administrator, await makeAircraft(db, administrator.schoolId), HUNDRED_HOURS);
}

/** One who has all that goes with a user, or with their role; the id. */
async function makeAdministratorWithEverything(db: Db, schoolId: number): Promise<number> {
  const user = await makeUser(db, schoolId, 'administrator');
  await makeSession(db, user);
  await makeSecondFactor(db, user);
  await insertPasskey(db, user);
  await insertAccessToken(db, user);
  await makeInvitation(db, user);
  await sendPasswordLink(db, user, (await makeUser(db, schoolId)).id);
  await saveDraft(db, user, CHECK_OUT_DRAFT_KEY, [['aircraftId', '7']]);
  return user.id;
}

/** Whoever made the user knows the password. */
function verified({ id }: Member) {
  return { userId: id, passwordGeneration: 0 };
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 60 * 60 * 1000).toISOString();
}
