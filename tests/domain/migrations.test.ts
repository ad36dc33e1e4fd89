import { Migrator, sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { inOneTransaction } from '#db/backup/session.ts';
import { connect, type Db } from '#db/connect.server.ts';
import type { Database } from '#db/tables.ts';
import { loadMigrations, migrateInTransaction, migrateToLatest, pendingMigrations } from '#db/migrate.ts';
import { StartupError } from '#db/startup-error.ts';
import { describeSchema } from '#tests/support/describe-schema.ts';
import { drawn } from '#tests/support/drawn.ts';
import {
  copyTemplate,
  LONG_TIMEOUTS,
  emptyDatabase,
  testDatabase,
  type TestDatabase,
} from '#tests/support/database.ts';
import { letMigrationsRun, stopMigrations } from '#tests/support/stop-migrations.ts';

const { db: latest } = await testDatabase();

const migrations = await loadMigrations();
const names = Object.keys(migrations);
// The tables of a school's daily work exist from the fifth migration on; from there on rows meet every later migration.
const [oldest = '', ...further] = names.slice(4, -1);
const STOPS_DRAWN = 8;
const DISK_FULL = "raise 'could not extend file: No space left on device' using errcode = 'disk_full'";
const lived = [oldest, ...drawn(further.slice(0, -1), STOPS_DRAWN, 'migrations').toSorted(), ...further.slice(-1)];
const latestSchema = await describeSchema(latest);
/** Follows the releases, one after the other, without rows. */
const releases = await copyTemplate(undefined, 'template0');
afterAll(releases.drop);

it('an empty database is migrated by all migrations, in the order of their names', async () => {
  const { db } = await emptyDatabase();
  expect(await pendingMigrations(db)).toEqual(names);
  expect(await migrateToLatest(db)).toEqual(names.toSorted());
  expect(await pendingMigrations(db)).toEqual([]);
});

it('migrations that run again change nothing', async () => {
  const { db } = await emptyDatabase();
  await migrateToLatest(db);
  const before = await describeSchema(db);
  expect(await migrateToLatest(db)).toEqual([]);
  expect(await describeSchema(db)).toEqual(before);
});

it('each migration runs once when several processes start at the same moment', async () => {
  const { url } = await emptyDatabase();
  const processes = [1, 2, 3].map(() => connect(url, { ...LONG_TIMEOUTS, max: 2 }));
  const ran = await Promise.all(processes.map((db) => migrateToLatest(db)));
  await Promise.all(processes.map((db) => db.destroy()));
  expect(ran.flat()).toEqual(names);
});

it('a database that ran later migrations of another branch gets the one between', async () => {
  const { db } = await emptyDatabase();
  const missing = '054-calendar-links';
  const others = names.filter((name) => name !== missing);
  await db.transaction().execute((trx) => migrateInTransaction<Database>(trx, others));
  expect(await migrateToLatest(db)).toEqual([missing]);
});

it.each([
  [
    'the disk of Postgres is full',
    DISK_FULL,
    /^The disk of Postgres is full: .* is as it was\. .*\n\ncould not extend/,
  ],
  [
    'Postgres ends',
    'perform pg_terminate_backend(pg_backend_pid())',
    /^Postgres ended the connection: .*\n\nterminating/,
  ],
])(
  'B976: migrations that stop because %s say so in a sentence, and run once they can',
  async (_what, happens, sentence) => {
    const { db, url } = await emptyDatabase();
    await stopMigrations(db, happens);
    const both = [
      () => migrateToLatest(db),
      () => inOneTransaction(url, (session) => migrateInTransaction(session.db)),
    ];
    for (const migrate of both) {
      const refused = await migrate().catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StartupError);
      expect(refused).toMatchObject({ message: expect.stringMatching(sentence) });
    }
    await letMigrationsRun(db);
    expect(await migrateToLatest(db)).toEqual(names);
  },
);

it('B976: a migration that fails for anything else throws what it met', async () => {
  const { db } = await emptyDatabase();
  await stopMigrations(db, "raise 'a defect' using errcode = 'undefined_column'");
  await expect(migrateToLatest(db)).rejects.toMatchObject({ code: '42703', message: 'a defect' });
});

it.each(lived)(
  'a database that stopped at migration %s is migrated to the same schema, with every row kept',
  async (yesterday) => {
    const { db } = await released(yesterday);
    await liveIn(db);
    const before = await everything(db);
    expect(Object.values(before).every((rows) => rows.length > 0)).toBe(true);

    expect(await migrateToLatest(db)).toEqual(names.slice(names.indexOf(yesterday) + 1));

    expect(await everything(db)).toMatchObject(before);
    expect(await describeSchema(db)).toEqual(latestSchema);
  },
);

it('B589: an aircraft of an earlier release gets the first segment of each meter, and its flags name the start', async () => {
  const { db } = await emptyDatabase();
  await migrateUpTo(db, '016-second-factor-setups');
  await liveIn(db);
  const flags = JSON.stringify([{ meter: 'tachometer', kind: 'below', last: '1002' }]);
  await sql`update flight_logs set reading_flags = ${flags} where id = 1`.execute(db);
  await migrateToLatest(db);
  const { rows } = await sql`select meter_type, reason, first_reading from meter_segments order by id`.execute(db);
  expect(rows).toEqual([
    { meter_type: 'hobbs', reason: 'new aircraft', first_reading: '1233.0' },
    { meter_type: 'tachometer', reason: 'new aircraft', first_reading: '1000' },
  ]);
  const flight = await db.selectFrom('flight_logs').select('reading_flags').where('id', '=', 1).executeTakeFirst();
  expect(flight?.reading_flags).toEqual([
    { at: 'start', meter: 'tachometer', kind: 'below', last: '1002', reading: '1000' },
  ]);
});

/** A copy of the releases' database, brought to this migration. */
async function released(last: string): Promise<TestDatabase> {
  const db = connect(releases.url, LONG_TIMEOUTS);
  await migrateUpTo(db, last).finally(() => db.destroy());
  return emptyDatabase(new URL(releases.url).pathname.slice(1));
}

/** As a release of that day did. */
async function migrateUpTo(db: Db, last: string): Promise<void> {
  const then = Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= last));
  const migrator = new Migrator({ db, provider: { getMigrations: async () => then } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** A row or two in every table of the first five migrations. */
async function liveIn(db: Db): Promise<void> {
  const statements = [
    sql`insert into schools (name, address, phone) values ('Cascade Flight School', '1 Field Road', '555 0100')`,
    sql`insert into users (school_id, username, username_key, email, password_hash, role)
      values (1, 'Anna', 'anna', 'anna@school.example', 'x', 'student'), (1, 'zoe', 'zoe', 'zoe@school.example', 'x', 'administrator')`,
    sql`insert into sessions (id, user_id, expires_at, ends_at) values ('x', 1, now(), now())`,
    sql`insert into login_attempts (key, failures, expires_at) values ('anna', 3, now())`,
    sql`insert into aircraft (school_id, tail_number, make, model, year, last_hobbs, last_hobbs_by)
      values (1, 'N512FL', 'Cessna', '172S', 2004, '1234.50', 1)`,
    sql`insert into photos (school_id, user_id, content, width, height) values (1, 1, 'jpeg', 800, 600)`,
    sql`insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, end_hobbs, end_tach, completed_at, completed_by, notes)
      values (1, 1, 1, '1233.0', '1000', '1234.50', '1001', now(), 1, 'Left brake soft.')`,
    sql`insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, voided_at, voided_by, void_reason)
      values (1, 1, 1, '1234.5', '1001', now(), 2, 'Fog')`,
    sql`insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach) values (1, 1, 1, '1234.5', '1001')`,
    sql`insert into fuel_records (school_id, flight_log_id, refueled, receipt_photo_id) values (1, 1, true, 1)`,
    sql`insert into flight_log_revisions (school_id, flight_log_id, user_id, field, old_value, new_value, reason)
      values (1, 1, 2, 'end_hobbs', '1234.4', '1234.50', 'Misread')`,
    sql`insert into scans (school_id, aircraft_id, user_id, photo_id, meter_type, detected_text, confidence)
      values (1, 1, 1, 1, 'hobbs', '1234.5', '0.91')`,
    sql`insert into mail_outbox (school_id, to_name, to_address, subject, body_text, body_html)
      values (1, 'Ben', 'ben@school.example', 'Welcome', 'Hello', '<p>Hello</p>')`,
    sql`insert into invitations (school_id, name, email, role, token_hash, invited_by, mail_id, expires_at)
      values (1, 'Ben', 'ben@school.example', 'student', 'hash', 2, 1, now())`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** Every row of the tables that a school had by the fifth migration, in the order it was written. */
async function everything(db: Db): Promise<Record<string, unknown[]>> {
  const tables = [
    'schools',
    'users',
    'sessions',
    'login_attempts',
    'aircraft',
    'photos',
    'flight_logs',
    'fuel_records',
    'flight_log_revisions',
    'scans',
    'mail_outbox',
    'invitations',
  ];
  const rows: Record<string, unknown[]> = {};
  for (const table of tables) {
    rows[table] = (await sql`select * from ${sql.table(table)} order by 1`.execute(db)).rows;
  }
  return rows;
}
