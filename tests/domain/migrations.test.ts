import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { inOneTransaction } from '#db/backup/session.ts';
import { connect, type Db, NO_TIME_OUTS } from '#db/connect.server.ts';
import {
  executedMigrations,
  hasFormerSchema,
  loadMigrations,
  migrateInTransaction,
  migrateToLatest,
  type Migrations,
  pendingMigrations,
  throwMigrationTrouble,
} from '#db/migrate.ts';
import { StartupError } from '#db/startup-error.ts';
import { describeSchema } from '#tests/support/describe-schema.ts';
import { copyTemplate, LONG_TIMEOUTS, emptyDatabase, testDatabase } from '#tests/support/database.ts';
import { everyRow, liveIn, upgraded } from '#tests/support/live-in.ts';
import { migrateAsPreviousRelease } from '#tests/support/previous-release.ts';
import { stopMigrations } from '#tests/support/stop-migrations.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { ownerUrl } from '#tests/support/database-url.ts';
import { APPLICATION_ROLE } from '#db/embedded/application-role.ts';

const { db: latest } = await testDatabase();

const names = Object.keys(await loadMigrations());
const baseline = names.filter((name) => name < '100');
const latestSchema = await describeSchema(latest);

it('each migration runs once when several processes start at the same moment, and again changes nothing', async () => {
  const { db, url } = await emptyDatabase();
  const processes = [1, 2, 3].map(() => connect(ownerUrl(url), { ...LONG_TIMEOUTS, max: 2 }));
  const ran = await Promise.all(processes.map((each) => migrateToLatest(each)));
  await Promise.all(processes.map((each) => each.destroy()));
  expect(ran.flat()).toEqual(names.toSorted());
  const before = await describeSchema(db);
  expect([await pendingMigrations(db), await migrateToLatest(db)]).toEqual([[], []]);
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

describe('On a server that ends idle transactions', () => {
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
    expect(() => throwMigrationTrouble(Object.assign(new Error(message), { code }))).toThrow(StartupError);
    expect(() => throwMigrationTrouble(Object.assign(new Error(message), { code }))).toThrow(sentence);
    expect(() => throwMigrationTrouble(Object.assign(new Error(message), { code }))).toThrow(message);
  });
});

describe('A database of the release before this one', async () => {
  const previous = await copyTemplate(undefined, 'template0');
  const setUp = connect(ownerUrl(previous.url), LONG_TIMEOUTS);
  const former = await migrateAsPreviousRelease(setUp);
  await liveIn(setUp).finally(() => setUp.destroy());
  afterAll(previous.drop);

  const lived = () => emptyDatabase(new URL(previous.url).pathname.slice(1));

  it('has the schema of a new one once it is migrated, part by part, and every row of every table (B381, B382)', async () => {
    const { db } = await lived();
    const before = await everyRow(db);
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);

    expect(await migrateToLatest(db, { product: APPLICATION_ROLE })).toEqual(names.slice(baseline.length));

    expect(await everyRow(db)).toMatchObject(upgraded(before));
    expect(await describeSchema(db)).toEqual(latestSchema);
    expect(await executedMigrations(db)).toEqual(names);
    expect(await migrateToLatest(db, { product: APPLICATION_ROLE })).toEqual([]);
  });

  it('has a job for all that waits in it, due when it was, and nothing that its own version would send (B1222)', async () => {
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
  });

  it('keeps its drafts of every kind, under the name of their form and with what they wait for (B1170)', async () => {
    const { db } = await lived();
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
    expect(await executedMigrations(db)).toEqual(former);
    const processes = [1, 2, 3].map(() => connect(ownerUrl(url), { ...LONG_TIMEOUTS, max: 2 }));
    const ran = await Promise.all(processes.map((each) => migrateToLatest(each)));
    await Promise.all(processes.map((each) => each.destroy()));
    expect(ran.flat()).toEqual(names.slice(baseline.length));
    expect(await hasFormerSchema(db)).toBe(false);
  });

  it('waits for the migrations after the baseline alone, and looking writes nothing (B384)', async () => {
    const { db } = await lived();
    expect(await pendingMigrations(db)).toEqual(names.slice(baseline.length));
    expect(names.at(baseline.length)).toBe('100-drop-doctor-views');
    expect([await hasFormerSchema(db), await executedMigrations(db)]).toEqual([true, former]);
  });

  it('one that an older version left is refused with the version to run first, and nothing is changed (B383)', async () => {
    const { db, url } = await lived();
    await sql`delete from kysely_migration where name > '016-second-factor-setups'`.execute(db);
    const [before, recorded] = [await describeSchema(db), await executedMigrations(db)];
    const both = [
      () => migrateToLatest(db),
      () => inOneTransaction(ownerUrl(url), (session) => migrateInTransaction(session.db)),
    ];
    for (const migrate of both)
      await expect(migrate()).rejects.toThrow(
        /^The schema is older than version 0\.1\.0 of Flightline: it lacks 0[\d\w, -]+\. Bring it up to date with version 0\.1\.0 first\.$/,
      );
    expect([await describeSchema(db), await executedMigrations(db)]).toEqual([before, recorded]);
  });

  it('one that a later version migrated is refused as newer, whatever else it has run (B383, B513)', async () => {
    const { db } = await lived();
    await sql`insert into kysely_migration values ('999-future', '')`.execute(db);
    await expect(migrateToLatest(db, { product: APPLICATION_ROLE })).rejects.toThrow(
      'newer than this version of Flightline: it has 999-future.',
    );
  });
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
