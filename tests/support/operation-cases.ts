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
import { runRequestedWork } from '#app/domain/imports/run-import.server.ts';
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
import { requireSchoolName } from '#app/domain/school/queries.server.ts';
import { askForSchoolRemoval, callOffSchoolRemoval } from '#app/domain/school/school-removal.server.ts';
import { saveSchool } from '#app/domain/school/save-school.server.ts';
import { completed, makeFlight } from './flight.ts';
import { archiveCases } from './archive/archive-cases.ts';
import { admin, byAdministrators, byAll, byInstructors, itself, type OperationCase, user } from './operation-case.ts';
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
export const operationCases = (db: Db, source = db): OperationCase[] => {
  const anAircraft = ({ schoolId }: Member) => makeAircraft(db, schoolId);
  const aUser = async ({ schoolId }: Member) => (await makeUser(db, schoolId)).id;
  const aFlight = async (by: Member) => makeFlight(db, await makeUser(db, by.schoolId), await anAircraft(by));
  const anInvitation = async (by: Member) => (await makeInvitation(db, by)).id;
  const aSquawk = async (by: Member) =>
    (await addSquawk(db, by, { aircraftId: await anAircraft(by), text: 'Left brake soft.' })).id;
  const anInspection = async (by: Member) => (await addInspection(db, by, await anAircraft(by), HUNDRED_HOURS)).id;
  const anImport = async (by: Member) => (await uploadImport(db, { member: by }, FLEET_FILE, 'fleet')).id;
  const aPasskey = (by: Member) => insertPasskey(db, by);
  const aToken = (by: Member) => insertAccessToken(db, by);
  const aSession = (by: Member) => makeSession(db, by);
  const oneWithAll = ({ schoolId }: Member) => everything(db, schoolId);
  const aFactor = async (by: Member) => {
    await makeSecondFactor(db, by);
    return by;
  };
  return [
    admin('aircraft/change-aircraft to add one', itself, (by, _, key) =>
      addAircraft(db, by, { tailNumber: 'N1', make: 'Cessna', model: '172S', year: 2004 }, key),
    ),
    admin('aircraft/change-aircraft to delete one', anAircraft, (by, id, key) => deleteAircraft(db, by, id, key)),
    byAdministrators('aircraft/change-aircraft that has flown', async (user) => {
      const id = await makeAircraft(db, user.schoolId);
      await makeFlight(db, user, id, RECENTLY);
      await makeCalendarLink(db, user, id);
      return (actor, key) => deleteAircraft(db, actor, id, key);
    }),
    admin('aircraft/change-aircraft to set the status', anAircraft, (by, id, key) =>
      setAircraftStatus(db, by, id, { status: 'maintenance' }, key),
    ),
    byInstructors('aircraft/save-last-reading', async (by) => {
      const reading = { aircraftId: await anAircraft(by), meterType: 'hobbs', reading: '12.3' } as const;
      return (actor, key) => saveLastReading(db, actor, reading, key);
    }),
    user('calendar/queries to make one', anAircraft, async (by, id, key) => ({
      secret: await makeCalendarLink(db, by, id, key),
    })),
    byAll('calendar/queries to remove one', async (user) => {
      const aircraftId = await makeAircraft(db, user.schoolId);
      await makeCalendarLink(db, user, aircraftId);
      return (actor, key) => removeCalendarLink(db, actor, aircraftId, key);
    }),
    user('flights/start-flight', anAircraft, (by, aircraftId, key) =>
      startFlight(db, by, { aircraftId, ...START }, key),
    ),
    byAll('flights/end-flight to complete', async (pilot) => {
      const id = await makeFlight(db, pilot, await makeAircraft(db, pilot.schoolId));
      return (actor, key) => completeFlight(db, actor, id, END, key);
    }),
    admin('flights/cancel-check-out', aFlight, (by, id, key) => cancelCheckOut(db, by, id, { reason: 'Fog' }, key)),
    admin('flights/end-flight to close', aFlight, (by, id, key) =>
      closeFlight(db, by, id, { ...END, reason: 'Left for home' }, key),
    ),
    byAdministrators('flights/past/enter-past-flight', async ({ id: pilotId, schoolId }) => {
      const aircraftId = await makeAircraft(db, schoolId);
      const times = { departedAt: '2026-05-12T10:00:00Z', landedAt: '2026-05-12T11:00:00Z' };
      const flown = { ...START, ...END, ...times, aircraftId, pilotId, reason: 'On paper' };
      return (actor, key) => enterPastFlight(db, actor, flown, key);
    }),
    admin('readings/declare-meter-change', anAircraft, (by, id, key) => {
      const change = { meter: 'hobbs', reason: 'replaced', oldLast: '1234.7', newFirst: '0.0' } as const;
      return declareMeterChange(db, by, id, change, key);
    }),
    byAdministrators('flights/correction/correct-flight', async (actor) => {
      const pilot = await makeUser(db, actor.schoolId);
      const id = await makeFlight(db, pilot, await makeAircraft(db, actor.schoolId), RECENTLY);
      const correction = { ...START, ...END, endHobbsTime: '102.0', reason: 'Misread' };
      const { digest } = await previewCorrection(db, actor, id, correction);
      return (corrector, key) =>
        correctFlight(db, corrector, id, correction, key, { isConfirmed: true, previewDigest: digest });
    }),
    admin('audit/record-export', itself, (by) => recordExport(db, by, 'exported activity', {})),
    admin('invitations/change-invitation to send', itself, (by, _, key) =>
      sendInvitation(db, by, { name: 'Ida', email: 'ida@invited.example', role: 'student' }, key),
    ),
    admin('invitations/change-invitation to resend one', anInvitation, (by, id, key) =>
      resendInvitation(db, by, id, key),
    ),
    admin('invitations/change-invitation to change one', anInvitation, (by, id, key) =>
      changeInvitation(db, by, id, { email: 'other@invited.example' }, key),
    ),
    admin('invitations/change-invitation to delete one', anInvitation, (by, id, key) =>
      deleteInvitation(db, by, id, key),
    ),
    user('meters/scan-meter', anAircraft, (by, aircraftId, key) =>
      scanMeter(db, by, { aircraftId, meterType: 'hobbs', image }, key),
    ),
    user('squawks/add-squawk', anAircraft, (by, aircraftId, key) =>
      addSquawk(db, by, { aircraftId, text: 'Left brake soft.', unsafe: true }, key),
    ),
    admin('squawks/change-squawk', aSquawk, (by, id, key) =>
      changeSquawk(db, by, id, { state: 'fixed', remark: 'New pads' }, key),
    ),
    admin('squawks/change-squawk together', aSquawk, (by, id, key) =>
      fixSquawksTogether(db, by, [id], { remark: 'New pads' }, key),
    ),
    admin('imports/upload-import', itself, (by, _, key) =>
      uploadImport(db, { member: by }, FLEET_FILE, 'fleet', { key }),
    ),
    admin('imports/request-import', anImport, (by, id, key) => requestApply(db, { member: by }, id, NO_OPTIONS, key)),
    byAdministrators('imports/request-import to undo one', async (administrator) => {
      const id = await anImport(administrator);
      await requestApply(db, { member: administrator }, id, NO_OPTIONS);
      await runRequestedWork({ work: db, progress: db }, { id, schoolId: administrator.schoolId });
      return (actor, key) => requestUndo(db, { member: actor }, id, key);
    }),
    byAdministrators('imports/change-import to change options', async (administrator) => {
      const id = await anImport(administrator);
      const { kind, answers } = await requireFileImport(db, administrator.schoolId, id);
      const options = { ...NO_OPTIONS, leaveOutRefused: true };
      return (actor, key) => changeImport(db, actor, id, { kind, answers, options }, key);
    }),
    admin('imports/change-import to remove the file', anImport, (by, id, key) => removeImport(db, by, id, key)),
    admin('inspections/save-inspection to add', anAircraft, (by, id, key) =>
      addInspection(db, by, id, HUNDRED_HOURS, key),
    ),
    admin('inspections/save-inspection to change one', anInspection, (by, id, key) => {
      const input = { ...HUNDRED_HOURS, due: { at: 'tach', value: '200' } } as const;
      return changeInspection(db, by, id, input, key);
    }),
    admin('inspections/save-inspection to remove one', anInspection, (by, id, key) =>
      removeInspection(db, by, id, key),
    ),
    admin('inspections/save-inspection to complete', anInspection, (by, id, key) =>
      completeInspection(db, by, id, { reading: '99', doneOn: '2026-05-12' }, key),
    ),
    admin('people/change-user to add', itself, (by, _, key) => {
      const login = { username: `new-${by.id}`, password: 'gull-9' };
      return addUser(db, by, { ...login, email: 'new@b.example', role: 'student' }, key);
    }),
    admin('people/change-user to change', aUser, (by, id, key) =>
      changeUser(db, by, id, { role: 'instructor', email: `x-${id}@b.example` }, key),
    ),
    admin('people/change-user who is an administrator no more', oneWithAll, (by, id, key) =>
      changeUser(db, by, id, { role: 'student' }, key),
    ),
    user('people/own-account to change the name', itself, (by, _, key) =>
      changeOwnName(db, by, { name: 'Ivan Berg' }, key),
    ),
    user('people/own-account to change the password', itself, (by, user, key) =>
      changeOwnPassword(db, by, { password: 'another long one', verified: verified(user) }, key),
    ),
    user('people/own-account to change the address', itself, (by, user, key) =>
      changeOwnEmail(db, by, { email: `new-${user.id}@b.example`, verified: verified(user) }, key),
    ),
    user('people/own-account to save the keys', itself, (by, _, key) => saveSingleKeys(db, by, false, key)),
    user('people/second-factor/change-second-factor to add one', itself, (by) =>
      addSecondFactor(db, by, { secret: 'JBSWY3DPEHPK3PXP', step: 1, codeHashes: ['a'] }),
    ),
    user('people/second-factor/change-second-factor to remove one', aFactor, (by, user) =>
      removeSecondFactor(db, by, { verified: verified(user) }),
    ),
    user('people/second-factor/change-second-factor to replace the codes', aFactor, (by, user) =>
      replaceRecoveryCodes(db, by, { codeHashes: ['b'], verified: verified(user) }),
    ),
    user('people/passkeys/change-passkeys to add one', itself, (by, user) =>
      addPasskey(db, by, {
        name: 'Phone',
        passkey: { id: `new-${user.id}`, publicKey: new Uint8Array([1]), counter: 0, backedUp: false },
        verified: verified(user),
      }),
    ),
    user('people/passkeys/change-passkeys to remove one', aPasskey, (by, id, key) => removePasskey(db, by, id, key)),
    user('people/access-tokens/change-access-tokens to add one', itself, async (by) => ({
      token: await addAccessToken(db, by, { name: 'Books', scope: 'read', days: 90 }),
    })),
    user('people/access-tokens/change-access-tokens to remove one', aToken, (by, id, key) =>
      removeAccessToken(db, by, id, key),
    ),
    ...archiveCases(db, source),
    ...webhookCases(db),
    user('people/end-sessions to end one', aSession, (by, id, key) => endOwnSession(db, by, id, key)),
    user('people/end-sessions to end all', aSession, (by, _, key) => signOutEverywhere(db, by, key)),
    admin('people/change-user to delete', aUser, (by, id, key) => deleteUser(db, by, id, key)),
    byAdministrators('people/change-user who has everything', async ({ schoolId }) => {
      const id = await everything(db, schoolId);
      // Where the actor is deleted, the school still has an administrator.
      await makeUser(db, schoolId, 'administrator');
      return (actor, key) => deleteUser(db, actor, id, key);
    }),
    admin('people/reset-password', aUser, (by, id, key) => sendPasswordLink(db, by, id, key)),
    byAdministrators('people/second-factor/change-second-factor to remove a lost one', async ({ schoolId }) => {
      const { id } = await makeUser(db, schoolId);
      await db.insertInto('second_factors').values({ user_id: id, secret: 'lost', last_step: 0 }).execute();
      return (actor, key) => removeLostSecondFactor(db, actor, id, key);
    }),
    admin('people/end-sessions to end those of a user', aUser, (by, id, key) => signOutUser(db, by, id, key)),
    admin('school/save-school', itself, (by, _, key) =>
      saveSchool(db, by, { name: 'Cascade', address: '2 Field Road', phone: '555 0199' }, key),
    ),
    byAdministrators('school/school-removal to ask for it', async (administrator) => {
      await recordExport(db, administrator, 'exported everything', {});
      const schoolName = await requireSchoolName(db, administrator.schoolId);
      return (actor, key) => askForSchoolRemoval(db, actor, { schoolName }, key);
    }),
    byAdministrators('school/school-removal to call it off', async ({ schoolId }) => {
      const removal_due_at = new Date(Date.now() + 86_400_000);
      await db.updateTable('schools').set({ removal_due_at }).where('id', '=', schoolId).execute();
      return (actor, key) => callOffSchoolRemoval(db, actor, key);
    }),
  ];
};

/** One who has all that goes with a user, or with their role; the id. */
async function everything(db: Db, schoolId: number): Promise<number> {
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
