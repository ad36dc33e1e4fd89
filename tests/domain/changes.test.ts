import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { connect, type Trx } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { awaitCommits } from '#app/domain/changes.server.ts';
import { findFlightLogs } from '#app/domain/flights/queries.server.ts';
import { listUsers } from '#app/domain/people/list-users.server.ts';
import { LONG_TIMEOUTS, testDatabase } from '#tests/support/database.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { insert } from '#tests/support/rows.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db, url } = await testDatabase();

let pilot: Member;
let aircraftId: number;
let flightId: number;
beforeEach(async () => {
  pilot = await makeUser(db, await makeSchool(db));
  aircraftId = await makeAircraft(db, pilot.schoolId);
  flightId = await flown();
});

const flown = () => makeFlight(db, pilot, aircraftId, completed('2026-05-12T08:00:00Z', '2026-05-12T09:00:00Z'));
/** In a later millisecond, since instants of the API have no finer ones. */
const now = async () => {
  await sql`select pg_sleep(0.002)`.execute(db);
  return awaitCommits(db, pilot.schoolId);
};
const changedSince = async (since: Date) =>
  (await findFlightLogs(db, pilot.schoolId, { since: since.toISOString() })).map(({ id }) => id);
const ofSchool = () => ({ school_id: pilot.schoolId, flight_log_id: flightId });

const segment = () => ({
  ...{ ...ofSchool(), aircraft_id: aircraftId, declared_by: pilot.id, old_last: '101.0', first_reading: '0.0' },
  ...({ meter_type: 'hobbs', reason: 'replaced' } as const),
});

const WRITES: Record<string, (trx: Trx) => Promise<unknown>> = {
  'its row': (trx) => trx.updateTable('flight_logs').set({ notes: 'Oil' }).where('id', '=', flightId).execute(),
  'a fuel record': (trx) => insert(trx, 'fuel_records', { ...ofSchool(), refueled: true }),
  'a correction': (trx) =>
    insert(trx, 'flight_log_revisions', {
      ...ofSchool(),
      user_id: pilot.id,
      field: 'end_tach',
      new_value: '1',
      reason: 'Misread',
    }),
  'a meter change': (trx) => trx.insertInto('meter_segments').values(segment()).execute(),
};

it('a user is named after a change of what lists show, and of nothing else (B855, C93)', async () => {
  const changes = [
    ...[{ username: 'renamed', username_key: 'renamed' }, { name: 'Ben' }, { email: 'new@school.example' }],
    ...[{ role: 'instructor' } as const, { deleted_at: new Date(), password_hash: null }],
  ];
  for (const columns of changes) {
    const [since, timeZone] = [(await now()).toISOString(), 'UTC'];
    const page = { after: undefined, limit: undefined, since };
    const changedUsers = async () => (await listUsers(db, { ...pilot, timeZone }, [], page)).map(({ id }) => id);
    await db.updateTable('users').set({ password_hash: 'new' }).where('id', '=', pilot.id).execute();
    expect(await changedUsers()).toEqual([]);
    await db.updateTable('users').set(columns).where('id', '=', pilot.id).execute();
    expect(await changedUsers(), Object.keys(columns).join()).toEqual([pilot.id]);
  }
});

describe('flights changed since an instant', () => {
  it('name a flight after each write to it, and no other, nor one whose pilot was reminded (B855, C89)', async () => {
    await flown();
    for (const [what, write] of Object.entries(WRITES)) {
      const before = await now();
      await db.updateTable('flight_logs').set({ reminded_at: new Date() }).where('id', '=', flightId).execute();
      expect(await changedSince(before)).toEqual([]);
      await db.transaction().execute(async (trx) => void (await write(trx)));
      expect(await changedSince(before), what).toEqual([flightId]);
    }
    expect(await changedSince(await now())).toEqual([]);
  });

  it('rows from before changes were noted count as changed when the release was installed (B855)', async () => {
    const installed = new Date('2026-06-01T00:00:00Z');
    await sql`alter table changes disable trigger user`.execute(db);
    await sql`insert into changes (id, ended_at) overriding system value values (0, ${installed})`.execute(db);
    await sql`alter table changes enable trigger user`.execute(db);
    await sql`alter table flight_logs disable trigger user`.execute(db);
    await sql`update flight_logs set change_id = 0`.execute(db);
    await sql`alter table flight_logs enable trigger user`.execute(db);
    expect(await changedSince(installed)).toEqual([flightId]);
    expect(await changedSince(new Date('2026-06-01T00:00:01Z'))).toEqual([]);
    await sql`delete from changes where id = 0`.execute(db);
  });

  it('name each change at least once to a follower, in whatever order long transactions end (B856)', async () => {
    const others = connect(url, LONG_TIMEOUTS);
    onTestFinished(() => others.destroy());
    const ids = [];
    for (let made = 0; made < 12; made += 1) ids.push(await flown());
    const follower = follow(await now());
    const writers = ids.map(async (id, index) => {
      await others.transaction().execute(async (trx) => {
        await trx.updateTable('flight_logs').set({ notes: 'Late' }).where('id', '=', id).execute();
        await sql`select pg_sleep(${((index * 7) % 12) / 20})`.execute(trx);
      });
    });
    await Promise.all(writers);
    const found = await follower.end();
    expect(new Set(found)).toEqual(new Set(ids));
  });

  it('name a change of a transaction that began before the instant and ended after it (B856)', async () => {
    const trx = await db.startTransaction().execute();
    await trx.updateTable('flight_logs').set({ notes: 'Late' }).where('id', '=', flightId).execute();
    await sql`select pg_sleep(0.01)`.execute(db);
    const between = await now();
    expect(await changedSince(between)).toEqual([]);
    await trx.commit().execute();
    expect(await changedSince(between)).toEqual([flightId]);
  });
});

/** Asks as fast as it can, each time for what changed since it asked before, and first since that instant. */
function follow(begun: Date) {
  const found: number[] = [];
  let hasEnded = false;
  const run = (async () => {
    let since = begun;
    for (let isLast = false; !isLast;) {
      isLast = hasEnded;
      const asked = await now();
      found.push(...(await changedSince(since)));
      since = asked;
    }
    return found;
  })();
  return {
    end: () => {
      hasEnded = true;
      return run;
    },
  };
}
