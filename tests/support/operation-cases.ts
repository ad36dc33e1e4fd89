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
import { type OperationCase, webhookCases } from './webhook-cases.ts';
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

/** Every operation that a user runs, in a school of its own. */
export const operationCases = (db: Db): OperationCase[] => [
  {
    module: 'aircraft/change-aircraft',
    act: 'to add one',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async () => (actor, key) =>
      addAircraft(db, actor, { tailNumber: 'N1', make: 'Cessna', model: '172S', year: 2004 }, key),
  },
  {
    module: 'aircraft/change-aircraft',
    act: 'to delete one',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async ({ schoolId }) => {
      const id = await makeAircraft(db, schoolId);
      return (actor, key) => deleteAircraft(db, actor, id, key);
    },
  },
  {
    module: 'aircraft/change-aircraft',
    act: 'that has flown',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async (user) => {
      const id = await makeAircraft(db, user.schoolId);
      await makeFlight(db, user, id, RECENTLY);
      await makeCalendarLink(db, user, id);
      return (actor, key) => deleteAircraft(db, actor, id, key);
    },
  },
  {
    module: 'aircraft/change-aircraft',
    act: 'to set the status',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async ({ schoolId }) => {
      const id = await makeAircraft(db, schoolId);
      return (actor, key) => setAircraftStatus(db, actor, id, { status: 'maintenance' }, key);
    },
  },
  {
    module: 'aircraft/save-last-reading',
    role: 'instructor',
    demoted: 'forbidden',
    prepare: async ({ schoolId }) => {
      const aircraftId = await makeAircraft(db, schoolId);
      return (actor, key) => saveLastReading(db, actor, { aircraftId, meterType: 'hobbs', reading: '12.3' }, key);
    },
  },
  {
    module: 'calendar/queries',
    act: 'to make one',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async ({ schoolId }) => {
      const aircraftId = await makeAircraft(db, schoolId);
      return async (actor, key) => ({ secret: await makeCalendarLink(db, actor, aircraftId, key) });
    },
  },
  {
    module: 'calendar/queries',
    act: 'to remove one',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async (user) => {
      const aircraftId = await makeAircraft(db, user.schoolId);
      await makeCalendarLink(db, user, aircraftId);
      return (actor, key) => removeCalendarLink(db, actor, aircraftId, key);
    },
  },
  {
    module: 'flights/start-flight',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async ({ schoolId }) => {
      const aircraftId = await makeAircraft(db, schoolId);
      return (actor, key) => startFlight(db, actor, { aircraftId, ...START }, key);
    },
  },
  {
    module: 'flights/end-flight',
    act: 'to complete',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async (pilot) => {
      const id = await makeFlight(db, pilot, await makeAircraft(db, pilot.schoolId));
      return (actor, key) => completeFlight(db, actor, id, END, key);
    },
  },
  {
    module: 'flights/cancel-check-out',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async ({ schoolId }) => {
      const id = await makeFlight(db, await makeUser(db, schoolId), await makeAircraft(db, schoolId));
      return (actor, key) => cancelCheckOut(db, actor, id, { reason: 'Fog' }, key);
    },
  },
  {
    module: 'flights/end-flight',
    act: 'to close',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async ({ schoolId }) => {
      const id = await makeFlight(db, await makeUser(db, schoolId), await makeAircraft(db, schoolId));
      return (actor, key) => closeFlight(db, actor, id, { ...END, reason: 'Left for home' }, key);
    },
  },
  {
    module: 'flights/past/enter-past-flight',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async ({ id: pilotId, schoolId }) => {
      const aircraftId = await makeAircraft(db, schoolId);
      const times = { departedAt: '2026-05-12T10:00:00Z', landedAt: '2026-05-12T11:00:00Z' };
      const flown = { ...START, ...END, ...times, aircraftId, pilotId, reason: 'On paper' };
      return (actor, key) => enterPastFlight(db, actor, flown, key);
    },
  },
  {
    module: 'readings/declare-meter-change',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async ({ schoolId }) => {
      const id = await makeAircraft(db, schoolId);
      const change = { meter: 'hobbs', reason: 'replaced', oldLast: '1234.7', newFirst: '0.0' } as const;
      return (actor, key) => declareMeterChange(db, actor, id, change, key);
    },
  },
  {
    module: 'flights/correction/correct-flight',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async (actor) => {
      const pilot = await makeUser(db, actor.schoolId);
      const id = await makeFlight(db, pilot, await makeAircraft(db, actor.schoolId), RECENTLY);
      const correction = { ...START, ...END, endHobbsTime: '102.0', reason: 'Misread' };
      const { digest } = await previewCorrection(db, actor, id, correction);
      return (corrector, key) =>
        correctFlight(db, corrector, id, correction, key, { isConfirmed: true, previewDigest: digest });
    },
  },
  {
    module: 'audit/record-export',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async () => (actor) => recordExport(db, actor, 'exported activity', {}),
  },
  {
    module: 'invitations/change-invitation',
    act: 'to send',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async () => (actor, key) =>
      sendInvitation(db, actor, { name: 'Ida', email: 'ida@invited.example', role: 'student' }, key),
  },
  {
    module: 'invitations/change-invitation',
    act: 'to resend one',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async (inviter) => {
      const { id } = await makeInvitation(db, inviter);
      return (actor, key) => resendInvitation(db, actor, id, key);
    },
  },
  {
    module: 'invitations/change-invitation',
    act: 'to change one',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async (inviter) => {
      const { id } = await makeInvitation(db, inviter);
      return (actor, key) => changeInvitation(db, actor, id, { email: 'other@invited.example' }, key);
    },
  },
  {
    module: 'invitations/change-invitation',
    act: 'to delete one',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async (inviter) => {
      const { id } = await makeInvitation(db, inviter);
      return (actor, key) => deleteInvitation(db, actor, id, key);
    },
  },
  {
    module: 'meters/scan-meter',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async ({ schoolId }) => {
      const aircraftId = await makeAircraft(db, schoolId);
      return (actor, key) => scanMeter(db, actor, { aircraftId, meterType: 'hobbs', image }, key);
    },
  },
  {
    module: 'squawks/add-squawk',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async ({ schoolId }) => {
      const aircraftId = await makeAircraft(db, schoolId);
      return (actor, key) => addSquawk(db, actor, { aircraftId, text: 'Left brake soft.', unsafe: true }, key);
    },
  },
  {
    module: 'squawks/change-squawk',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async (administrator) => {
      const aircraftId = await makeAircraft(db, administrator.schoolId);
      const { id } = await addSquawk(db, administrator, { aircraftId, text: 'Left brake soft.' });
      return (actor, key) => changeSquawk(db, actor, id, { state: 'fixed', remark: 'New pads' }, key);
    },
  },
  {
    module: 'squawks/change-squawk',
    act: 'together',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async (administrator) => {
      const aircraftId = await makeAircraft(db, administrator.schoolId);
      const { id } = await addSquawk(db, administrator, { aircraftId, text: 'Left brake soft.' });
      return (actor, key) => fixSquawksTogether(db, actor, [id], { remark: 'New pads' }, key);
    },
  },
  {
    module: 'imports/upload-import',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async () => (actor, key) => uploadImport(db, { ...actor, member: actor }, FLEET_FILE, 'fleet', { key }),
  },
  {
    module: 'imports/request-import',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async (administrator) => {
      const { id } = await uploadImport(db, { ...administrator, member: null }, FLEET_FILE, 'fleet');
      return (actor, key) => requestApply(db, { ...actor, member: actor }, id, NO_OPTIONS, key);
    },
  },
  {
    module: 'imports/request-import',
    act: 'to undo one',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async (administrator) => {
      const onServer = { ...administrator, member: null };
      const { id } = await uploadImport(db, onServer, FLEET_FILE, 'fleet');
      await requestApply(db, onServer, id, NO_OPTIONS);
      await runImport({ work: db, progress: db }, { id, schoolId: administrator.schoolId });
      return (actor, key) => requestUndo(db, { ...actor, member: actor }, id, key);
    },
  },
  {
    module: 'imports/change-import',
    act: 'to change options',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async (administrator) => {
      const { id } = await uploadImport(db, { ...administrator, member: null }, FLEET_FILE, 'fleet');
      const { kind, answers } = await requireFileImport(db, administrator.schoolId, id);
      const options = { ...NO_OPTIONS, leaveOutRefused: true };
      return (actor, key) => changeImport(db, actor, id, { kind, answers, options }, key);
    },
  },
  {
    module: 'imports/change-import',
    act: 'to remove the file',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async (administrator) => {
      const { id } = await uploadImport(db, { ...administrator, member: null }, FLEET_FILE, 'fleet');
      return (actor, key) => removeImport(db, actor, id, key);
    },
  },
  {
    module: 'inspections/save-inspection',
    act: 'to add',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async ({ schoolId }) => {
      const aircraftId = await makeAircraft(db, schoolId);
      return (actor, key) => addInspection(db, actor, aircraftId, HUNDRED_HOURS, key);
    },
  },
  {
    module: 'inspections/save-inspection',
    act: 'to change one',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async (administrator) => {
      const { id } = await makeInspection(db, administrator);
      const input = { ...HUNDRED_HOURS, due: { at: 'tach', value: '200' } } as const;
      return (actor, key) => changeInspection(db, actor, id, input, key);
    },
  },
  {
    module: 'inspections/save-inspection',
    act: 'to remove one',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async (administrator) => {
      const { id } = await makeInspection(db, administrator);
      return (actor, key) => removeInspection(db, actor, id, key);
    },
  },
  {
    module: 'inspections/save-inspection',
    act: 'to complete',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async (administrator) => {
      const { id } = await makeInspection(db, administrator);
      return (actor, key) => completeInspection(db, actor, id, { reading: '99', doneOn: '2026-05-12' }, key);
    },
  },
  {
    module: 'people/change-user',
    act: 'to add',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async () => (actor, key) => {
      const user = {
        username: `new-${actor.id}`,
        email: 'new@b.example',
        password: 'gull-9',
        role: 'student' as const,
      };
      return addUser(db, actor, user, key);
    },
  },
  {
    module: 'people/change-user',
    act: 'to change',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async ({ schoolId }) => {
      const { id } = await makeUser(db, schoolId);
      return (actor, key) => changeUser(db, actor, id, { role: 'instructor', email: `x-${id}@b.example` }, key);
    },
  },
  {
    module: 'people/change-user',
    act: 'who is an administrator no more',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async ({ schoolId }) => {
      const id = await makeAdministratorWithEverything(db, schoolId);
      return (actor, key) => changeUser(db, actor, id, { role: 'student' }, key);
    },
  },
  {
    module: 'people/own-account',
    act: 'to change the name',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async () => (actor, key) => changeOwnName(db, actor, { name: 'Ivan Berg' }, key),
  },
  {
    module: 'people/own-account',
    act: 'to change the password',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async (user) => (actor, key) =>
      changeOwnPassword(db, actor, { password: 'another long one', verified: verified(user) }, key),
  },
  {
    module: 'people/own-account',
    act: 'to change the address',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async (user) => (actor, key) =>
      changeOwnEmail(db, actor, { email: `new-${user.id}@b.example`, verified: verified(user) }, key),
  },
  {
    module: 'people/own-account',
    act: 'to save the keys',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async () => (actor, key) => saveSingleKeys(db, actor, false, key),
  },
  {
    module: 'people/second-factor/change-second-factor',
    act: 'to add one',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async () => (actor) =>
      addSecondFactor(db, actor, { secret: 'JBSWY3DPEHPK3PXP', step: 1, codeHashes: ['a'] }),
  },
  {
    module: 'people/second-factor/change-second-factor',
    act: 'to remove one',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async (user) => {
      await makeSecondFactor(db, user);
      return (actor) => removeSecondFactor(db, actor, { verified: verified(user) });
    },
  },
  {
    module: 'people/second-factor/change-second-factor',
    act: 'to replace the codes',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async (user) => {
      await makeSecondFactor(db, user);
      return (actor) => replaceRecoveryCodes(db, actor, { codeHashes: ['b'], verified: verified(user) });
    },
  },
  {
    module: 'people/passkeys/change-passkeys',
    act: 'to add one',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async (user) => (actor) =>
      addPasskey(db, actor, {
        name: 'Phone',
        passkey: { id: `new-${user.id}`, publicKey: new Uint8Array([1]), counter: 0, backedUp: false },
        verified: verified(user),
      }),
  },
  {
    module: 'people/passkeys/change-passkeys',
    act: 'to remove one',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async (user) => {
      const id = await insertPasskey(db, user);
      return (actor, key) => removePasskey(db, actor, id, key);
    },
  },
  {
    module: 'people/access-tokens/change-access-tokens',
    act: 'to add one',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async () => async (actor) => ({
      token: await addAccessToken(db, actor, { name: 'Books', scope: 'read', days: 90 }),
    }),
  },
  {
    module: 'people/access-tokens/change-access-tokens',
    act: 'to remove one',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async (user) => {
      const id = await insertAccessToken(db, user);
      return (actor, key) => removeAccessToken(db, actor, id, key);
    },
  },
  ...archiveCases(db),
  ...webhookCases(db),
  {
    module: 'people/end-sessions',
    act: 'to end one',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async (user) => {
      const number = await makeSession(db, user);
      return (actor, key) => endOwnSession(db, actor, number, key);
    },
  },
  {
    module: 'people/end-sessions',
    act: 'to end all',
    role: 'instructor',
    demoted: 'allowed',
    prepare: async (user) => {
      await makeSession(db, user);
      return (actor, key) => signOutEverywhere(db, actor, key);
    },
  },
  {
    module: 'people/change-user',
    act: 'to delete',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async ({ schoolId }) => {
      const { id } = await makeUser(db, schoolId);
      return (actor, key) => deleteUser(db, actor, id, key);
    },
  },
  {
    module: 'people/change-user',
    act: 'who has everything',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async ({ schoolId }) => {
      const id = await makeAdministratorWithEverything(db, schoolId);
      // Where the actor is deleted, the school still has an administrator.
      await makeUser(db, schoolId, 'administrator');
      return (actor, key) => deleteUser(db, actor, id, key);
    },
  },
  {
    module: 'people/reset-password',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async ({ schoolId }) => {
      const { id } = await makeUser(db, schoolId);
      return (actor, key) => sendPasswordLink(db, actor, id, key);
    },
  },
  {
    module: 'people/second-factor/change-second-factor',
    act: 'to remove a lost one',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async ({ schoolId }) => {
      const { id } = await makeUser(db, schoolId);
      await db.insertInto('second_factors').values({ user_id: id, secret: 'lost', last_step: 0 }).execute();
      return (actor, key) => removeLostSecondFactor(db, actor, id, key);
    },
  },
  {
    module: 'people/end-sessions',
    act: 'to end those of a user',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async ({ schoolId }) => {
      const { id } = await makeUser(db, schoolId);
      return (actor, key) => signOutUser(db, actor, id, key);
    },
  },
  {
    module: 'school/save-school',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async () => (actor, key) =>
      saveSchool(db, actor, { name: 'Cascade', address: '2 Field Road', phone: '555 0199' }, key),
  },
  {
    module: 'school/school-removal',
    act: 'to ask for it',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async (administrator) => {
      await recordExport(db, administrator, 'exported everything', {});
      const schoolName = await findSchoolName(db, administrator.schoolId);
      return (actor, key) => askForSchoolRemoval(db, actor, { schoolName }, key);
    },
  },
  {
    module: 'school/school-removal',
    act: 'to call it off',
    role: 'administrator',
    demoted: 'forbidden',
    prepare: async ({ schoolId }) => {
      const removal_due_at = new Date(Date.now() + 86_400_000);
      await db.updateTable('schools').set({ removal_due_at }).where('id', '=', schoolId).execute();
      return (actor, key) => callOffSchoolRemoval(db, actor, key);
    },
  },
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

/** As it stands in a title. */
export function nameOfCase({ module, act }: OperationCase): string {
  return act === undefined ? module : `${module} ${act}`;
}

/** Whoever made the user knows the password. */
function verified({ id }: Member) {
  return { userId: id, passwordGeneration: 0 };
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 60 * 60 * 1000).toISOString();
}
