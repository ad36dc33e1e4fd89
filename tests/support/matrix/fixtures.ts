import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { uploadImport } from '#app/domain/imports/upload-import.server.ts';
import { completed, makeFlight } from '../flight.ts';
import { insertAccessToken } from '../access-tokens.ts';
import { makeInvitation } from '../invitation.ts';
import { insertPasskey } from '../passkey-rows.ts';
import { insertRow } from '../rows.ts';
import { makeSecondFactor } from '../second-factor.ts';
import { makePhoto, makeScan } from '../scanned-photo.ts';
import { makeSession } from '../sessions.ts';
import { makeAircraft, makeSquawk, makeUser } from '../school.ts';
import { insertWebhook } from '../webhooks.ts';

/** Makes the records that ids in the matrix name, in their owner's school. */
export type Fixtures = ReturnType<typeof matrixFixtures>;

export function matrixFixtures(db: Db) {
  let lastTail = 0;
  const tailNumber = ({ username }: Member) => `${username.toUpperCase()} ${(lastTail += 1)}`;
  const landed = completed(hoursAgo(2), hoursAgo(1));

  const fixtures = {
    aircraft: (owner: Member) =>
      makeAircraft(db, owner.schoolId, { tail_number: tailNumber(owner), make: owner.username }),
    aircraftInMaintenance: (owner: Member) => {
      const marked = { tail_number: tailNumber(owner), make: owner.username };
      return makeAircraft(db, owner.schoolId, { ...marked, maintenance_since: new Date() });
    },
    aircraftInFlight: async (owner: Member) => {
      const id = await fixtures.aircraft(owner);
      await makeFlight(db, await makeUser(db, owner.schoolId), id);
      return id;
    },
    openFlight: async (owner: Member) =>
      makeFlight(db, owner, await fixtures.aircraft(owner), { notes: `Note of ${owner.username}` }),
    forgottenFlightOfAnotherPilot: async (owner: Member) => {
      const pilot = await makeUser(db, owner.schoolId, 'student', `${owner.username}-pilot`);
      const created_at = new Date(Date.now() - 13 * 60 * 60_000);
      return makeFlight(db, pilot, await fixtures.aircraft(pilot), { created_at, notes: `Note of ${pilot.username}` });
    },
    completedFlight: async (owner: Member) =>
      makeFlight(db, owner, await fixtures.aircraft(owner), { ...landed, notes: `Note of ${owner.username}` }),
    importedFile: async (owner: Member) => {
      const file = { content: Buffer.from('Tail Number,Make,Model,Year\nN1,Cessna,152,1980'), name: owner.username };
      const member = await makeUser(db, owner.schoolId, 'administrator');
      return (await uploadImport(db, { member }, file, 'fleet')).id;
    },
    scan: async (owner: Member) => makeScan(db, owner, await fixtures.aircraft(owner)),
    squawk: async (owner: Member) =>
      makeSquawk(db, owner, await fixtures.aircraft(owner), { text: `Squawk of ${owner.username}` }),
    fixedSquawk: async (owner: Member) => {
      const id = await fixtures.squawk(owner);
      await db.updateTable('squawks').set({ state: 'fixed' }).where('id', '=', id).execute();
      return id;
    },
    inspection: async (owner: Member) => {
      const owned = { school_id: owner.schoolId, aircraft_id: await fixtures.aircraft(owner) };
      const hundredHours = { name: `Inspection of ${owner.username}`, due_tach: '1300', interval_hours: '100' };
      return insertRow(db, 'inspections', { ...owned, ...hundredHours });
    },
    /** Another user of the owner's school. */
    user: async (owner: Member) => (await makeUser(db, owner.schoolId, 'student', `${owner.username}-friend`)).id,
    userWithSecondFactor: async (owner: Member) => {
      const user = await makeUser(db, owner.schoolId);
      await makeSecondFactor(db, user);
      return user.id;
    },
    pilotInFlight: async (owner: Member) => {
      const pilot = await makeUser(db, owner.schoolId);
      await makeFlight(db, pilot, await fixtures.aircraft(owner));
      return pilot.id;
    },
    invitation: async (owner: Member) => {
      const friend = { name: `friend of ${owner.username}`, email: `${owner.username}@friends.example` };
      const columns = { ...friend, role: 'student', token_hash: `hash of ${owner.username}` } as const;
      return (await makeInvitation(db, owner, columns)).id;
    },
    session: (owner: Member) => makeSession(db, owner),
    passkey: (owner: Member) => insertPasskey(db, owner),
    /** In place of those before, since a school has few. */
    webhook: async ({ schoolId }: Member) => {
      await db.updateTable('webhooks').set({ removed_at: new Date() }).where('school_id', '=', schoolId).execute();
      return insertWebhook(db, schoolId);
    },
    accessToken: (owner: Member) => insertAccessToken(db, owner),
    photo: (owner: Member) => makePhoto(db, owner),
  };
  return fixtures;
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 60 * 60 * 1000).toISOString();
}
