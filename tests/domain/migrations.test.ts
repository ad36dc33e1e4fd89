import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { inOneTransaction } from '#db/backup/session.ts';
import { connect, type Db, NO_TIME_OUTS } from '#db/connect.server.ts';
import {
  findExecutedMigrations,
  hasFormerSchema,
  loadMigrations,
  migrateInTransaction,
  migrateToLatest,
  type Migrations,
  findPendingMigrations,
  throwMigrationTrouble,
} from '#db/migrate.ts';
import { StartupError } from '#db/startup-error.ts';
import { describeSchema } from '#tests/support/describe-schema.ts';
import { copyTemplate, LONG_TIMEOUTS, emptyDatabase, testDatabase } from '#tests/support/database.ts';
import { everyRow, liveIn, upgraded } from '#tests/support/live-in.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { migrateAsPreviousRelease } from '#tests/support/previous-release.ts';
import { stopMigrations } from '#tests/support/stop-migrations.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { ownerUrl } from '#tests/support/database-url.ts';
import { APPLICATION_ROLE } from '#db/embedded/application-role.ts';

const { db: latest } = await testDatabase();

const names = Object.keys(await loadMigrations());
const baseline = names.filter((name) => name < '100');
const latestSchema = await describeSchema(latest);

it('of several processes that start each migration runs once, and there is no school, no user and no session', async () => {
  const { db, url } = await emptyDatabase();
  const processes = [1, 2, 3].map(() => connect(ownerUrl(url), { ...LONG_TIMEOUTS, max: 2 }));
  const ran = await Promise.all(processes.map((each) => migrateToLatest(each)));
  await Promise.all(processes.map((each) => each.destroy()));
  expect(ran.flat()).toEqual(names.toSorted());
  for (const table of ['schools', 'users', 'sessions', 'invitations', 'password_links'] as const)
    expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([]);
  const before = await describeSchema(db);
  expect([await findPendingMigrations(db), await migrateToLatest(db)]).toEqual([[], []]);
  expect(await describeSchema(db)).toEqual(before);
});

it('migrations that stop because the disk of Postgres is full say so in a sentence (B976)', async () => {
  const { db, url } = await emptyDatabase();
  await stopMigrations(db, "raise 'could not extend file: No space left on device' using errcode = 'disk_full'");
  const sentence = /^The disk of Postgres is full: .* is as it was\. .*\n\ncould not extend/;
  const both = [
    () => migrateToLatest(db),
    () => inOneTransaction(ownerUrl(url), (session) => migrateInTransaction(session.db)),
  ];
  for (const migrate of both) {
    const refused = await migrate().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartupError);
    expect(refused).toMatchObject({ message: expect.stringMatching(sentence) });
  }
});

const LIMIT_MS = 20;

nightly(
  'migrations of a command are waited for, and their files are loaded outside of a transaction (B387)',
  async () => {
    const { url } = await emptyDatabase();
    const name = new URL(url).pathname.slice(1);
    await sql`alter database ${sql.id(name)} set idle_in_transaction_session_timeout = ${sql.lit(LIMIT_MS)}`.execute(
      latest,
    );
    let transactions: unknown[] = [];
    const load = async (): Promise<Migrations> => {
      const open = sql`select from pg_stat_activity where state like 'idle in%' and datname = ${name}`;
      transactions = (await open.execute(latest)).rows;
      return { '001-slow': { up: (trx) => idleFor(latest, trx, 10 * LIMIT_MS) } };
    };
    const db = connect(ownerUrl(url), NO_TIME_OUTS);
    expect(await migrateToLatest(db, { load }).finally(() => db.destroy())).toEqual(['001-slow']);
    expect(transactions).toEqual([]);
  },
);

it('migrations have no time-outs, whatever pool they run on (B387)', async () => {
  const { url } = await emptyDatabase();
  const db = connect(ownerUrl(url));
  const limits: unknown[] = [];
  const up: Migrations[string]['up'] = async (trx) => {
    const read = sql`select current_setting('statement_timeout') as statements, current_setting('lock_timeout') as locks,
      current_setting('idle_in_transaction_session_timeout') as idleness`;
    limits.push(...(await read.execute(trx)).rows);
  };
  await migrateToLatest(db, { load: async () => ({ '001-curious': { up } }) }).finally(() => db.destroy());
  expect(limits).toEqual([{ statements: '0', locks: '0', idleness: '0' }]);
});

it('a migration that Postgres ends is told in the words of Postgres, without a guess (B388)', () => {
  const [code, message] = ['25P03', 'terminating connection due to idle-in-transaction timeout'];
  const sentence = /^The connection to Postgres ended: (?!.*disk).* is as it was\. .*\n\n(.*)$/;
  const tell = () => throwMigrationTrouble(Object.assign(new Error(message), { code }));
  for (const told of [StartupError, sentence, message]) expect(tell).toThrow(told);
});

interface Column {
  name: string;
  table: string;
  type: string;
  nullable: boolean;
  hasDefault: boolean;
}

/** Identity and generated columns fill themselves. */
async function columnsOf(db: Db): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select table_name || '.' || column_name as name, table_name as table, coalesce(domain_name, data_type) as type,
      is_nullable = 'YES' as nullable,
      column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as "hasDefault"
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  return rows;
}

describe('A database of the release before this one', async () => {
  const previous = await copyTemplate(undefined, 'template0');
  const setUp = connect(ownerUrl(previous.url), LONG_TIMEOUTS);
  const former = await migrateAsPreviousRelease(setUp);
  await liveIn(setUp).finally(() => setUp.destroy());
  afterAll(previous.drop);

  const lived = () => emptyDatabase(new URL(previous.url).pathname.slice(1));

  it('migrated, has the schema of a new one, every row, and no column that it would have to fill (B381, B382, B526)', async () => {
    const { db } = await lived();
    const [then, now] = [await columnsOf(db), await columnsOf(latest)];
    for (const column of then) {
      const kept = now.find(({ name }) => name === column.name);
      expect(kept, `${column.name} is gone: drop it one release later`).toBeDefined();
      expect([column.name, kept?.type]).toEqual([column.name, column.type]);
      expect(kept?.nullable || !column.nullable, `${column.name} must still take null`).toBe(true);
      expect(kept?.hasDefault || !column.hasDefault, `${column.name} must keep its default`).toBe(true);
    }
    const tables = new Set(then.map(({ table }) => table));
    const known = new Set(then.map(({ name }) => name));
    const added = now.filter(({ table, name }) => tables.has(table) && !known.has(name));
    for (const { name, nullable, hasDefault } of added)
      expect(nullable || hasDefault, `${name} needs a default: the previous release does not fill it`).toBe(true);
    const before = await everyRow(db);
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);

    expect(await migrateToLatest(db, { product: APPLICATION_ROLE })).toEqual(names.slice(baseline.length));

    expect(await everyRow(db)).toMatchObject(upgraded(before));
    expect(await describeSchema(db)).toEqual(latestSchema);
    expect(await findExecutedMigrations(db)).toEqual(names);
    expect(await migrateToLatest(db, { product: APPLICATION_ROLE })).toEqual([]);
  });

  it('has a job for all that waits, its drafts by form, and nothing that its own version would send (B1170, B1222)', async () => {
    const { db } = await lived();
    await sql`
      insert into mail_outbox (school_id, to_name, to_address, subject, body_text, body_html, attempts, next_attempt_at,
        send_until, sent_at, refused_at)
      select 1, 'Cleo', 'cleo@school.example', 'Hello', '', '', 3, now() + interval '40 minutes', ends, sent, refused
      from (values (now() + interval '1 day', null::timestamptz, null::timestamptz), (now() - interval '1 day', null, null),
        (now() + interval '1 day', now(), null), (now() + interval '1 day', null, now())) as mail (ends, sent, refused);
      insert into webhook_deliveries (school_id, webhook_id, event, data, in_order, state, next_attempt_at)
        values (1, 1, 'flight.started', '{}', false, 'delivered', null);
      update imports set requested = 'apply', requested_at = now()`.execute(db);
    await sql`delete from drafts`.execute(db);
    const kept = (form: string, waits_for: string | null = null, posted_to: string | null = null) => ({
      ...{ form, waits_for, posted_to },
    });
    const named = {
      'check-out': kept('/flight-log#read-meters'),
      'check-in:41': kept('/flight-log/41/post-check#check-in'),
      'typed:/users/7#user': kept('/users/7#user'),
      'unsent:/flight-log?step=2': kept('/flight-log?step=2#', 'sign-in', '/flight-log?step=2'),
      'proof:/users?index': kept('/users?index#waiting', 'password', '/users?index'),
    };
    for (const [form] of Object.entries(named)) {
      await sql`insert into drafts (user_id, form, body) values (1, ${form}, ${{ was: form }})`.execute(db);
    }
    await migrateToLatest(db, { product: APPLICATION_ROLE });
    const { rows } = await sql`
      select kind, subject_id, lane, attempts, round(extract(epoch from run_at - now()) / 60)::integer as minutes
      from jobs order by kind, subject_id`.execute(db);
    expect(rows).toEqual([
      { kind: 'delivery', subject_id: 1, lane: 1, attempts: 0, minutes: 0 },
      { kind: 'import', subject_id: 1, lane: 0, attempts: 0, minutes: 0 },
      { kind: 'mail', subject_id: 1, lane: 0, attempts: 0, minutes: 0 },
      { kind: 'mail', subject_id: 2, lane: 0, attempts: 3, minutes: 40 },
      { kind: 'password link', subject_id: 1, lane: 0, attempts: 0, minutes: 0 },
    ]);
    // As the version before queues and looks for them.
    await sql`insert into mail_outbox (school_id, to_name, to_address, subject, body_text, body_html)
      values (1, 'Ben', 'ben@school.example', 'Hello', '', '')`.execute(db);
    const due = await sql`
      select 'mail' from mail_outbox where sent_at is null and refused_at is null and next_attempt_at <= now()
      union all select 'delivery' from webhook_deliveries where state = 'waiting' and next_attempt_at <= now()`.execute(
      db,
    );
    expect(due.rows).toEqual([]);
    expect((await sql`select from jobs where kind = 'mail'`.execute(db)).rows).toHaveLength(3);
    const drafts = await db.selectFrom('drafts').select(['form', 'waits_for', 'posted_to', 'body']).execute();
    expect(Object.fromEntries(drafts.map(({ body, ...draft }) => [body.was, draft]))).toEqual(named);
  });

  nightly('is migrated once by several processes at the same moment, and backed out whole (B382)', async () => {
    const { url, db } = await lived();
    const undone = inOneTransaction(ownerUrl(url), async (session) => {
      await migrateInTransaction(session.db);
      throw new Error('backed out');
    });
    await expect(undone).rejects.toThrow('backed out');
    expect(await findExecutedMigrations(db)).toEqual(former);
    const processes = [1, 2, 3].map(() => connect(ownerUrl(url), { ...LONG_TIMEOUTS, max: 2 }));
    const ran = await Promise.all(processes.map((each) => migrateToLatest(each)));
    await Promise.all(processes.map((each) => each.destroy()));
    expect(ran.flat()).toEqual(names.slice(baseline.length));
    expect(await hasFormerSchema(db)).toBe(false);
  });

  it('waits for the migrations after the baseline, looking writes nothing, newer is refused (B383, B384, B513)', async () => {
    const { db } = await lived();
    expect(await findPendingMigrations(db)).toEqual(names.slice(baseline.length));
    expect(names.at(baseline.length)).toBe('100-drop-doctor-views');
    expect([await hasFormerSchema(db), await findExecutedMigrations(db)]).toEqual([true, former]);
    await sql`insert into kysely_migration values ('999-future', '')`.execute(db);
    await expect(migrateToLatest(db, { product: APPLICATION_ROLE })).rejects.toThrow(
      'newer than this version of Flightline: it has 999-future.',
    );
  });

  it('one that an older version left is refused with the version to run first, and nothing is changed (B383)', async () => {
    const { db, url } = await lived();
    await sql`delete from kysely_migration where name > '016-second-factor-setups'`.execute(db);
    const [before, recorded] = [await describeSchema(db), await findExecutedMigrations(db)];
    const both = [
      () => migrateToLatest(db),
      () => inOneTransaction(ownerUrl(url), (session) => migrateInTransaction(session.db)),
    ];
    for (const migrate of both)
      await expect(migrate()).rejects.toThrow(
        /^The schema is older than version 0\.1\.0 of Flightline: it lacks 0[\d\w, -]+\. Bring it up to date with version 0\.1\.0 first\.$/,
      );
    expect([await describeSchema(db), await findExecutedMigrations(db)]).toEqual([before, recorded]);
  });
});

it('missing parts of aircraft and flags from the previous release are filled in, and the rest is kept (B526, B589)', async () => {
  const schoolId = await makeSchool(latest);
  const aircraftId = await makeAircraft(latest, schoolId);
  const meters = latest.selectFrom('meter_segments').select(['meter_type', 'reason']);
  expect(await meters.where('aircraft_id', '=', aircraftId).orderBy('id').execute()).toEqual([
    { meter_type: 'hobbs', reason: 'new aircraft' },
    { meter_type: 'tachometer', reason: 'new aircraft' },
  ]);
  const pilot = await makeUser(latest, schoolId, 'student');
  const flags = [
    { meter: 'tachometer', kind: 'below', last: '95.0' },
    { meter: 'hobbs', at: 'end', kind: 'long', last: '100.0', reading: '120.0' },
  ];
  const readings = { start_hobbs: '100.0', start_tach: '90.0', reading_flags: JSON.stringify(flags) };
  const id = await makeFlight(latest, pilot, aircraftId, readings);
  const stored = latest.selectFrom('flight_logs').select('reading_flags').where('id', '=', id);
  const { reading_flags } = await stored.executeTakeFirstOrThrow();
  expect(reading_flags).toEqual([{ ...flags[0], at: 'start', reading: '90.0' }, flags[1]]);
});

/** Leaves a transaction idle until Postgres has seen it so for longer than this. */
async function idleFor(db: Db, trx: Parameters<Migrations[string]['up']>[0], ms: number): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
  const isIdle = async () => {
    const found = await sql`select from pg_stat_activity where pid = ${rows[0]?.pid}
      and state = 'idle in transaction' and state_change < clock_timestamp() - ${`${ms} ms`}::interval`.execute(db);
    return found.rows.length === 1;
  };
  await expect.poll(isIdle, { timeout: 120_000 }).toBe(true);
}
