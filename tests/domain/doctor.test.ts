import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sealEntries } from '#app/domain/audit/seal-entries.server.ts';
import { completeInspection } from '#app/domain/inspections/save-inspection.server.ts';
import type { Db } from '#db/connect.server.ts';
import { type Fault, findFaults, findFaultsOfOneMoment } from '#db/doctor/find-faults.ts';
import { repair } from '#db/doctor/repairs.ts';
import { RULES } from '#db/doctor/rules.ts';
import { RECORD_RULES } from '#db/doctor/rules/record.ts';
import { MISSING_EVENT_RULES } from '#db/doctor/rules/missing-events.ts';
import { seed } from '#db/seed.ts';
import { testDatabase } from '#tests/support/database.ts';
import { ownerUrl } from '#tests/support/database-url.ts';
import { PausingDatabase } from '#tests/support/pausing-database.ts';
import { addedSecondFactor, corrected, passwordLink, plantedFaults } from '#tests/support/planted-faults.ts';
import { insertPhoto } from '#tests/support/planted-rows.ts';
import { checkOrderOfReadings } from '../../scripts/flightline/doctor/check-database.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db, url } = await testDatabase();
await seed(db);
await sql`insert into audit_entries (school_id, action, subject) values (1, 'signed in', 'user'), (1, 'signed out', 'user')`.execute(
  db,
);
await sealEntries(db);

/** In the demo school: the flight that is open, one that is completed, its aircraft and somebody without a flight. */
const open = await db.selectFrom('flight_logs').selectAll().where('completed_at', 'is', null).executeTakeFirstOrThrow();
const others = db.selectFrom('flight_logs').selectAll().where('aircraft_id', '!=', open.aircraft_id);
const flown = await others
  .where('completed_at', 'is not', null)
  .orderBy('completed_at', 'desc')
  .executeTakeFirstOrThrow();
const people = db.selectFrom('users').select(['id', 'username', 'email', 'role']).orderBy('id');
const administrator = await people.where('role', '=', 'administrator').executeTakeFirstOrThrow();
const { id: admin } = administrator;
const dated = db.selectFrom('inspections').select('id').where('due_on', 'is not', null);
const done = { reading: undefined, doneOn: '2026-05-12' };
const inspector = { ...administrator, schoolId: 1, timeZone: 'UTC' };
await completeInspection(db, inspector, (await dated.executeTakeFirstOrThrow()).id, done);
const students = people.where('role', '=', 'student').where('id', '!=', open.user_id);
const { id: idle } = await students.executeTakeFirstOrThrow();

const PLANTED = plantedFaults({ open, flown, admin, idle });

describe('The doctor', () => {
  it('the doctor finds nothing in the demo school, which keeps every rule (B520)', async () => {
    expect(await findFaults(db)).toEqual([]);
  });

  it('there are 15 rules and more, each a query with words on mending, and no view of the schema (B386, B520)', async () => {
    const rules = Object.keys(RULES);
    expect(rules.length).toBeGreaterThanOrEqual(15);
    expect((await sql`select viewname from pg_views where schemaname = 'public'`.execute(db)).rows).toEqual([]);
    for (const { fault, mend } of Object.values(RULES))
      expect([fault, mend].every((text) => text.length > 10)).toBe(true);
    expect(new Set(PLANTED.map(([rule]) => rule))).toEqual(new Set(rules));
  });

  it.each(PLANTED)(
    'the doctor finds what breaks the rule %s, and names the row (B520, B1520, B1830)',
    async (rule, statements, named) => {
      const faults = await findPlanted(statements);
      const found = faults.find((fault) => fault.rule === rule);
      expect(found?.named.join('\n')).toContain(named);
      expect(found?.mend).toBe(RULES[rule]?.mend);
    },
  );

  it('what nobody needs to be asked about is mended, and nothing else is touched (B520)', async () => {
    const mendable = PLANTED.filter(([rule]) => RULES[rule]?.mend.includes('doctor --mend'));
    expect(new Set(mendable.map(([rule]) => rule)).size).toBe(6);
    for (const [rule, statements] of mendable) {
      const left = await findPlanted(statements, async (trx) => {
        expect(await repair(trx, await findFaults(trx))).toMatchObject([{ rule }]);
      });
      expect(ofOtherRules(left)).toEqual([]);
    }
    const planted = [insertPhoto(admin)];
    const [kept] = await findPlanted(planted, async (trx) =>
      expect(await repair(trx, await findFaults(trx))).toEqual([]),
    );
    expect(kept?.rule).toBe('photos_of_nothing');
  });

  it('a way in and a correction whose events were removed as too old, or came with a school, are no fault (B1700)', async () => {
    const passkey = `insert into passkeys (user_id, name, credential_id, public_key, counter, created_at)
      values (${admin}, 'Phone', 'x', '', 0, now() - interval '800 days')`;
    const cut = `insert into audit_entries (school_id, action, subject) values (1, 'removed old activity', 'activity')`;
    const told = [addedSecondFactor(idle), corrected(flown.id)];
    const moved = `insert into audit_entries (school_id, action, subject, after) values (1, 'imported school', 'school', '{}')`;
    const untold = async (statements: string[]) =>
      (await findPlanted(statements))
        .filter(({ rule }) => rule in MISSING_EVENT_RULES)
        .map(({ rule, rows }) => [rule, rows]);
    expect(await untold([passkey])).toEqual([['ways_in_that_nobody_made', 1]]);
    expect(await untold([passkey, cut])).toEqual([]);
    expect((await untold(told)).length).toBe(2);
    expect(await untold([...told, moved])).toEqual([]);
  });

  it('a password link that was sent, or mailed by the import that made its user, is no fault (B1773)', async () => {
    const sent = `insert into audit_entries (school_id, action, subject, subject_id)
      values (1, 'sent password link', 'user', ${idle})`;
    const imported = `update users set created_at = now() where id = ${idle}`;
    const used = 'update password_links set used_at = now()';
    for (const sound of [sent, imported, used])
      expect(
        (await findPlanted([passwordLink(idle), sound])).filter(({ rule }) => rule in MISSING_EVENT_RULES),
      ).toEqual([]);
  });

  nightly('what waits for the product to run is no fault of a restored copy (B520)', async () => {
    const waiting = PLANTED.filter(([rule]) => rule.endsWith('_stuck'));
    expect(waiting.length).toBeGreaterThanOrEqual(4);
    for (const [, statements] of waiting)
      await findPlanted(statements, async (trx) =>
        expect(ofOtherRules(await findFaults(trx, { isRunning: false }))).toEqual([]),
      );
  });

  it('the doctor names five rows of a rule, and counts all (B520)', async () => {
    const [fault] = await findPlanted(Array.from({ length: 7 }, () => insertPhoto(admin)));
    expect(fault).toMatchObject({ rows: 7, rule: 'photos_of_nothing' });
    expect(fault?.named).toHaveLength(5);
  });

  it('what is written between the two transactions of the doctor is seen by neither (B1770)', async () => {
    const pausing = new PausingDatabase(ownerUrl(url));
    onTestFinished(async () => {
      await pausing.db.destroy();
      await db.deleteFrom('photos').execute();
    });
    let release = () => {};
    const asked = new Promise<void>((resolve) => (release = resolve));
    let seen: Fault[] | undefined;
    const ask = async () => (seen = await findFaultsOfOneMoment(pausing.db));
    // The first has its snapshot, and waits until the second, which begins after the writing, has asked the rules.
    await pausing.count(ask, async (position) => {
      if (position === 3) await asked;
      if (position === 4) await sql.raw(insertPhoto(admin)).execute(db);
      if (position === 5 + Object.keys(RULES).length) release();
    });
    expect(seen).toEqual([]);
    expect(await findFaultsOfOneMoment(db)).toMatchObject([{ rule: 'photos_of_nothing' }]);
  });

  it('the doctor notes a flight that begins below the end of the one before, without a meter change (B1460)', async () => {
    expect(await checkOrderOfReadings(db)).toEqual([]);
    const below = `update flight_logs set start_hobbs = start_hobbs - 1 where id = ${flown.id}`;
    await findPlanted([below], async (trx) => {
      expect(await checkOrderOfReadings(trx)).toMatchObject([
        {
          level: 'note',
          about: `flight ${flown.id}`,
          text: expect.stringContaining(`hobbs ${Number(flown.start_hobbs) - 1}`),
        },
      ]);
    });
    const changed = `insert into meter_segments (school_id, aircraft_id, meter_type, reason, old_last, first_reading, started_at,
      declared_by) select 1, aircraft_id, 'hobbs', 'replaced', start_hobbs, start_hobbs, created_at, ${admin} from flight_logs
      where id = ${flown.id}`;
    await findPlanted([below, changed], async (trx) => expect(await checkOrderOfReadings(trx)).toEqual([]));
  });

  it('events whose texts are no numbers, as a file of a school may bring them, end no rule (B520)', async () => {
    const bring = (action: string, after: string) =>
      `insert into audit_entries (school_id, action, subject, subject_id, after)
        values (1, '${action}', 'aircraft', ${flown.aircraft_id}, '${after}')`;
    const planted = [
      bring('saved last reading', '{"hobbs": "x"}'),
      bring('removed old activity', '{"position": "x"}'),
      bring('saved school settings', '{"activityKeptDays": "x"}'),
    ];
    const moved = `update aircraft set last_hobbs = 9000, last_hobbs_at = now() where id = ${flown.aircraft_id}`;
    expect((await findPlanted([...planted, moved])).map(({ rule }) => rule)).toContain('last_readings_that_do_not_fit');
  });

  nightly(
    'corrections, saved readings, changed meters, photos, a clock set back, removed activity break no rule (B520)',
    async () => {
      const save = `insert into audit_entries (school_id, action, subject, subject_id, after)
      values (1, 'saved last reading', 'aircraft', ${flown.aircraft_id}, '{"hobbs": "9000"}')`;
      const saved = await findPlanted([
        `update aircraft set last_hobbs = 9000, last_hobbs_at = now() where id = ${flown.aircraft_id}`,
        save,
      ]);
      expect(ofOtherRules(saved)).toEqual([]);
      const corrected = await findPlanted([
        `insert into flight_log_revisions (school_id, flight_log_id, user_id, field, old_value, new_value, reason)
        values (1, ${flown.id}, ${admin}, 'end_hobbs', ${flown.end_hobbs}, ${flown.end_hobbs} + 1, 'Misread')`,
        `update flight_logs set end_hobbs = end_hobbs + 1 where id = ${flown.id}`,
      ]);
      expect(ofOtherRules(corrected)).toEqual([]);
      const changed = await findPlanted([
        `insert into meter_segments (school_id, aircraft_id, meter_type, reason, old_last, first_reading, declared_by)
        values (1, ${flown.aircraft_id}, 'hobbs', 'replaced', ${flown.end_hobbs}, 3, ${admin})`,
        `update aircraft set last_hobbs = 3, last_hobbs_at = now() where id = ${flown.aircraft_id}`,
      ]);
      expect(ofOtherRules(changed)).toEqual([]);
      const rolledOver = await findPlanted([
        `insert into meter_segments (school_id, aircraft_id, meter_type, reason, old_last, first_reading, declared_by, flight_log_id)
        values (1, ${flown.aircraft_id}, 'hobbs', 'rolled over', ${flown.start_hobbs}, 0, ${admin}, ${flown.id})`,
        `update flight_logs set end_hobbs = 1, hobbs_old_last = start_hobbs, hobbs_new_first = 0 where id = ${flown.id}`,
        `insert into flight_log_revisions (school_id, flight_log_id, user_id, field, old_value, new_value, reason) values
        (1, ${flown.id}, ${admin}, 'end_hobbs', ${flown.end_hobbs}, 1, 'Rolled over'),
        (1, ${flown.id}, ${admin}, 'hobbs_old_last', null, ${flown.start_hobbs}, 'Rolled over'),
        (1, ${flown.id}, ${admin}, 'hobbs_new_first', null, 0, 'Rolled over')`,
      ]);
      expect(ofOtherRules(rolledOver)).toEqual([]);
      const photographed = await findPlanted([
        `with photo as (insert into photos (school_id, user_id, content, width, height) values (1, ${admin}, 'jpeg', 8, 6) returning id),
        squawk as (insert into squawks (school_id, aircraft_id, user_id, text)
          values (1, ${flown.aircraft_id}, ${admin}, 'Tire worn') returning id),
        event as (insert into squawk_events (school_id, squawk_id, user_id, state) select 1, id, ${admin}, 'open' from squawk)
      insert into squawk_photos select 1, squawk.id, photo.id from squawk, photo`,
      ]);
      expect(ofOtherRules(photographed)).toEqual([]);
      // Checked out and in again after the clock was set back.
      const setBack = await findPlanted([
        `insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, end_hobbs, end_tach, created_at,
          completed_at, completed_by)
        select school_id, aircraft_id, user_id, end_hobbs, end_tach, end_hobbs + 1, end_tach + 1,
          created_at - interval '1 hour', created_at - interval '1 hour', user_id from flight_logs where id = ${flown.id}`,
        `update aircraft set last_hobbs = last_hobbs + 1, last_tach = last_tach + 1 where id = ${flown.aircraft_id}`,
      ]);
      expect(ofOtherRules(setBack)).toEqual([]);
      const removed = await findPlanted([
        `insert into audit_entries (school_id, action, subject, after) select 1, 'removed old activity', 'activity',
        jsonb_build_object('position', position, 'hash', hash) from audit_seals where entry_id = 1`,
        'delete from audit_seals where entry_id = 1',
        'delete from audit_entries where id = 1',
      ]);
      expect(ofOtherRules(removed)).toEqual([]);
    },
  );
});

/** Without what tells that a statement was run by hand. */
function ofOtherRules(faults: Fault[]): Fault[] {
  return faults.filter(({ rule }) => !(rule in RECORD_RULES) && !(rule in MISSING_EVENT_RULES));
}

/** What the doctor finds once the statements are run, past all triggers; then they are undone. */
async function findPlanted(statements: string[], mend: (trx: Db) => Promise<void> = async () => {}): Promise<Fault[]> {
  const planted = new Error('undone');
  let faults: Fault[] = [];
  const planting = db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    for (const statement of statements) await sql.raw(statement).execute(trx);
    await mend(trx);
    faults = await findFaults(trx);
    throw planted;
  });
  await expect(planting).rejects.toBe(planted);
  return faults;
}
