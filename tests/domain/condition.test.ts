import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { NewRow } from '#db/tables.ts';
import type { Member } from '#app/domain/actor.ts';
import { deferralOverText, toConditionItems } from '#app/domain/aircraft/find-conditions.ts';
import { findAircraft, findFleet } from '#app/domain/aircraft/queries.server.ts';
import { findFlightLine } from '#app/domain/flight-line/queries.server.ts';
import { isSoon } from '#app/domain/inspections/due-point.ts';
import { MAX_FLIGHT_LINE_AIRCRAFT } from '#app/limits.ts';
import { testDatabase } from '#tests/support/database.ts';
import { insert } from '#tests/support/rows.ts';
import { makeAircraft, makeScene, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

let schoolId: number;
let pilot: Member;
let aircraftId: number;
beforeEach(async () => {
  ({ schoolId, pilot, aircraftId } = await makeScene(db, { last_hobbs: '1300.0', last_tach: '7255.2' }));
});

const squawk = (columns: Partial<NewRow<'squawks'>>) =>
  insert(db, 'squawks', {
    school_id: schoolId,
    aircraft_id: aircraftId,
    user_id: pilot.id,
    text: 'Left brake soft',
    ...columns,
  });
const inspection = (columns: Partial<NewRow<'inspections'>>) =>
  insert(db, 'inspections', { school_id: schoolId, aircraft_id: aircraftId, name: 'Oil change', ...columns });
const found = async () => {
  const aircraft = await findAircraft(db, schoolId, aircraftId);
  return { condition: aircraft?.condition, conditions: aircraft?.conditions };
};
const one = (kind: string, text: string) => ({ condition: kind, conditions: [{ kind, text }] });

describe('the condition of an aircraft', () => {
  it('is none with squawks that are open, fixed or deferred for longer, and inspections far off (B350, C94)', async () => {
    await squawk({});
    await squawk({ unsafe: true, state: 'fixed' });
    await squawk({ unsafe: true, state: 'withdrawn' });
    await squawk({ unsafe: true, state: 'deferred', until_tach: '7255.2' });
    await squawk({ state: 'deferred', until_on: day(1) });
    await inspection({ due_hobbs: '1310.01' });
    await inspection({ due_on: day(32) });
    expect(await found()).toEqual({ condition: null, conditions: [] });
  });

  it('is that of each squawk or inspection by itself, in words (B350, B351, C94, C98)', async () => {
    const squawks: [Partial<NewRow<'squawks'>>, string, string][] = [
      [{ unsafe: true }, 'unsafe', 'Unsafe to fly'],
      [{ state: 'deferred', until_tach: '7226.7' }, 'deferral_over', 'Deferral over by 28.5 h'],
      [{ state: 'deferred', until_hobbs: '1299.99' }, 'deferral_over', 'Deferral over by 0.01 h'],
      [{ state: 'deferred', until_on: day(-3) }, 'deferral_over', 'Deferral over by 3 days'],
    ];
    for (const [columns, kind, text] of squawks) {
      await squawk(columns);
      expect(await found()).toEqual(one(kind, `Left brake soft: ${text}`));
      await db.deleteFrom('squawks').execute();
    }
    const inspections: [Partial<NewRow<'inspections'>>, string, string][] = [
      [{ due_tach: '7254' }, 'overdue', 'Overdue by 1.2 h'],
      [{ due_on: day(-2) }, 'overdue', 'Overdue by 2 days'],
      [{ due_hobbs: '1310.00' }, 'due_soon', 'Due in 10.0 h'],
    ];
    for (const [columns, kind, text] of inspections) {
      await inspection(columns);
      expect(await found()).toEqual(one(kind, `Oil change: ${text}`));
      await db.deleteFrom('inspections').execute();
    }
  });

  it('is the gravest of all, told in their order; what was deferred too long is unsafe again (B350, B351, C94, C98)', async () => {
    await squawk({ unsafe: true, state: 'deferred', until_tach: '7226.7' });
    expect((await found()).conditions?.map(({ kind }) => kind)).toEqual(['unsafe', 'deferral_over']);
    await db.deleteFrom('squawks').execute();
    await inspection({ due_on: '2099-01-01', name: 'Annual' });
    await inspection({ due_hobbs: '1305.0' });
    await squawk({ state: 'deferred', until_tach: '7226.7' });
    await inspection({ due_tach: '7254', name: '100 h' });
    await squawk({ unsafe: true, text: 'Smoke in\n the cabin' });
    expect(await found()).toEqual({
      condition: 'unsafe',
      conditions: [
        { kind: 'unsafe', text: 'Smoke in the cabin: Unsafe to fly' },
        { kind: 'overdue', text: '100 h: Overdue by 1.2 h' },
        { kind: 'deferral_over', text: 'Left brake soft: Deferral over by 28.5 h' },
        { kind: 'due_soon', text: 'Oil change: Due in 5.0 h' },
      ],
    });
  });

  it('follows the day at the school, not in UTC (B350)', async () => {
    // They are 26 hours apart, so that one of them is on another day than UTC.
    await inspection({ due_on: '2099-12-03' });
    await sql`update inspections set due_on = (now() at time zone 'Etc/GMT+12')::date
      where aircraft_id = ${aircraftId}`.execute(db);
    for (const [time_zone, condition] of [
      ['Pacific/Kiritimati', 'overdue'],
      ['Etc/GMT+12', 'due_soon'],
    ] as const) {
      await db.updateTable('schools').set({ time_zone }).where('id', '=', schoolId).execute();
      expect([time_zone, (await found()).condition]).toEqual([time_zone, condition]);
    }
  });

  it('is not that of another school or another aircraft (B350)', async () => {
    const elsewhere = await makeSchool(db);
    const stranger = await makeUser(db, elsewhere);
    const theirs = await makeAircraft(db, elsewhere);
    await squawk({ school_id: elsewhere, user_id: stranger.id, aircraft_id: theirs, unsafe: true });
    await squawk({ aircraft_id: await makeAircraft(db, schoolId, { tail_number: 'N1' }), unsafe: true });
    expect((await found()).condition).toBeNull();
    expect((await findFleet(db, schoolId)).map(({ condition }) => condition).filter(Boolean)).toEqual(['unsafe']);
    expect((await findFleet(db, elsewhere)).map(({ condition }) => condition)).toEqual(['unsafe']);
  });

  it('brings an aircraft onto the line of a fleet that is longer than the line (B352)', async () => {
    await sql`insert into aircraft (school_id, tail_number, make, model, year) select ${schoolId}, 'A' || n, 'Cessna', '172S', 2004
      from generate_series(1, ${MAX_FLIGHT_LINE_AIRCRAFT}::integer) n`.execute(db);
    const late = async () => {
      aircraftId = await makeAircraft(db, schoolId, { last_tach: '90.0' });
      return aircraftId;
    };
    const ids = [await late()];
    await squawk({ unsafe: true });
    ids.push(await late());
    await inspection({ due_tach: '89' });
    ids.push(await late());
    await squawk({ state: 'deferred', until_tach: '89' });
    const line = await findFlightLine(db, { schoolId, timeZone: 'UTC' });
    const first = line.slice(0, 3).map(({ id }) => id);
    expect(first.toSorted()).toEqual(ids.toSorted());
    expect(line[0]?.attentionCount).toBe(3);
  });
});

describe('due soon', () => {
  const standing = { hobbs: '100.0', tach: null, today: '2026-11-01' };
  it('is what is due within ten hours or thirty days, and not overdue (B350, C94)', () => {
    const soon = [{ at: 'hobbs', value: '110.0' } as const, { at: 'date', value: '2026-12-01' } as const];
    expect(soon.map((point) => isSoon(point, standing))).toEqual([true, true]);
    for (const value of ['110.01', '99.9']) expect(isSoon({ at: 'hobbs', value }, standing), value).toBe(false);
    for (const value of ['2026-12-02', '2026-10-31'])
      expect(isSoon({ at: 'date', value }, standing), value).toBe(false);
    expect(isSoon({ at: 'tach', value: '1.0' }, standing)).toBe(false);
  });

  it('says how far a deferral is over, and nothing without one or at its end (B351, C98)', () => {
    const over = (at: 'hobbs' | 'date', value: string) => deferralOverText({ at, value }, standing);
    expect([deferralOverText(null, standing), over('hobbs', '100.0'), over('hobbs', '71.5')]).toEqual([
      null,
      null,
      'Deferral over by 28.5 h',
    ]);
    expect(over('date', '2026-10-31')).toBe('Deferral over by 1 day');
    expect(toConditionItems([], [], standing)).toEqual([]);
  });
});
