import { sql } from 'kysely';
import { MAX_DATABASE_CLOCK_OFF_SECONDS } from '#app/limits.ts';
import { findRoleThatCanAlterActivity } from '#app/domain/audit/activity-guard.server.ts';
import { findLostHeads } from '#app/domain/audit/chain-heads.server.ts';
import type { ChainHead } from '#app/domain/audit/seal-entries.server.ts';
import type { Db } from '#db/connect.server.ts';
import { findMissingParts } from '#db/doctor/schema-parts.ts';
import { findExecutedMigrations, findPendingMigrations, unknownSchemaText } from '#db/migrate.ts';
import { type Finding, fault, note, ok } from './finding.ts';

const OLDEST_SERVER = 150_000;

/** Checks that the schema is this version's; the rows can be looked at only then. */
export async function checkSchema(db: Db): Promise<Finding> {
  const executed = await findExecutedMigrations(db);
  const unknown = unknownSchemaText(executed);
  if (unknown !== undefined)
    return fault('schema', unknown, 'run the version it names, or restore the backup made before the upgrade.');
  if (executed.length === 0)
    return fault('schema', 'is not there: the database is empty', '`npm run db:migrate`, or restore a backup.');
  const pending = await findPendingMigrations(db);
  if (pending.length > 0)
    return fault(
      'schema',
      `is older than this version: it lacks ${pending.join(', ')}`,
      '`npm run flightline -- upgrade`.',
    );
  return ok('schema', "is this version's");
}

/** Compares the ends of the activity's chains with those that were noted beside the data. */
export async function checkActivity(db: Db, noted: ChainHead[]): Promise<Finding> {
  if ((await findExecutedMigrations(db)).length === 0) return ok('activity', 'is not there yet');
  const [lost] = await findLostHeads(db, noted);
  if (!lost) return ok('activity', `ends as was noted for ${noted.length} of its chains, or later`);
  return fault(
    'activity',
    `of school ${lost.chain} lacks what was at position ${lost.position}: somebody has changed or removed it`,
    '`npm run audit:verify` names the place. If you have restored a backup, remove activity-heads.json from DATA_DIR.',
  );
}

/** Tells whether the product could change the activity that it writes. */
export async function checkGuard(db: Db): Promise<Finding[]> {
  const role = await findRoleThatCanAlterActivity(db);
  if (role === undefined) return [ok('guard', 'the product can add to the activity, and not change it')];
  const mend = 'give the tables an owner of their own: docs/operate.md, Two roles.';
  return [
    note('guard', `the activity is guarded less: the product signs in as ${role}, which may change its tables`, mend),
  ];
}

export async function checkServer(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Server>`
    select current_setting('server_version_num')::integer as number, current_setting('server_version') as version,
      current_setting('transaction_read_only') = 'on' or pg_is_in_recovery() as is_read_only,
      current_setting('max_connections')::integer as allowed, getdatabaseencoding() as encoding,
      (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as used`.execute(db);
  const [server] = rows;
  if (!server) return [];
  const findings = [ok('database', `PostgreSQL ${server.version}, ${server.used} of ${server.allowed} connections`)];
  if (server.number < OLDEST_SERVER)
    findings.push(fault('database', `PostgreSQL ${server.version} is too old`, 'upgrade it to 15 or newer.'));
  if (server.is_read_only)
    findings.push(
      fault(
        'database',
        'takes no writes: it is a standby, or set to read-only',
        'point DATABASE_URL at the primary, or set default_transaction_read_only off.',
      ),
    );
  if (server.encoding !== 'UTF8')
    findings.push(
      fault(
        'database',
        `its encoding is ${server.encoding}`,
        'create a database with encoding UTF8, and restore a backup into it.',
      ),
    );
  if (server.used > server.allowed * 0.9)
    findings.push(
      fault(
        'database',
        `${server.used} of ${server.allowed} connections are in use`,
        'raise max_connections, or end what holds them.',
      ),
    );
  return findings;
}

interface Server {
  number: number;
  version: string;
  is_read_only: boolean;
  allowed: number;
  used: number;
  encoding: string;
}

export async function checkClock(db: Db): Promise<Finding> {
  const before = Date.now();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const difference = Math.round((rows[0]?.now.getTime() ?? 0) - (before + Date.now()) / 2);
  const text = `the database is ${Math.abs(difference)} ms ${difference < 0 ? 'behind' : 'ahead of'} this machine`;
  return Math.abs(difference) <= 1000 * MAX_DATABASE_CLOCK_OFF_SECONDS
    ? ok('clock', text)
    : fault('clock', text, 'set both by NTP (timedatectl set-ntp true).');
}

/** Checks that the application and the database agree on the days of a school. */
export async function checkTimeZones(db: Db): Promise<Finding[]> {
  const schools = await db.selectFrom('schools').select(['id', 'name', 'time_zone as zone']).orderBy('id').execute();
  const findings: Finding[] = [];
  for (const { id, name, zone } of schools) {
    const about = `time zone of school ${id}, ${name}`;
    const [ours, theirs] = [offsetHere(zone), await offsetInDatabase(db, zone)];
    if (ours === undefined || theirs === undefined)
      findings.push(
        fault(
          about,
          `${zone} is not known to ${ours === undefined ? 'this Node' : 'the database'}`,
          'choose another at /school-settings.',
        ),
      );
    else if (ours !== theirs)
      findings.push(
        fault(
          about,
          `${zone} is ${ours} minutes from UTC here and ${theirs} in the database`,
          'upgrade Node or the tzdata of the database.',
        ),
      );
  }
  return findings.length > 0
    ? findings
    : [ok('time zones', `of ${schools.length} schools, known and the same on both sides`)];
}

/** Returns the zone's offset in minutes; undefined if Node does not know the zone. */
function offsetHere(timeZone: string): number | undefined {
  try {
    const now = new Date();
    const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(now);
    return Math.round(
      (Date.parse(`${parts.replace(' ', 'T')}Z`) - Math.floor(now.getTime() / 60_000) * 60_000) / 60_000,
    );
  } catch {
    return undefined;
  }
}

async function offsetInDatabase(db: Db, zone: string): Promise<number | undefined> {
  const { rows } = await sql<{ minutes: number }>`
    select (extract(epoch from utc_offset) / 60)::integer as minutes from pg_timezone_names
    where lower(name) = lower(${zone})`.execute(db);
  return rows[0]?.minutes;
}

/** Checks what protects the rows: a constraint that was switched off lets the next fault in. */
export async function checkProtection(db: Db): Promise<Finding[]> {
  const { rows } = await sql<{ what: string }>`
    select 'trigger ' || tgname || ' of ' || tgrelid::regclass || ' is disabled' as what from pg_trigger
      where tgenabled = 'D' and tgrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)
    union all
    select 'constraint ' || conname || ' of ' || conrelid::regclass || ' is not proven for all rows' from pg_constraint
      where not convalidated and connamespace = current_schema()::regnamespace
    union all
    select 'index ' || indexrelid::regclass || ' is not valid' from pg_index join pg_class on pg_class.oid = indexrelid
      where not indisvalid and relnamespace = current_schema()::regnamespace`.execute(db);
  if (rows.length === 0) return [ok('constraints', 'all in force')];
  return rows.map(({ what }) =>
    fault(
      'constraints',
      what,
      'mend the rows named below, then `alter table … enable trigger`, `validate constraint` or `reindex`.',
    ),
  );
}

/** Checks that no constraint was dropped, which would let the next fault in, too. */
export async function checkSchemaParts(db: Db): Promise<Finding[]> {
  const missing = await findMissingParts(db);
  return missing.map(({ name, create }) =>
    fault(
      'constraints',
      `${name} is missing`,
      `mend the rows named below, then, as the owner of the table: ${create};`,
    ),
  );
}

/** Checks sequences: one that is behind its rows refuses the next row. */
export async function checkSequences(db: Db): Promise<Finding[]> {
  const { rows } = await sql<{ table: string; column: string; sequence: string }>`
    select attrelid::regclass::text as table, quote_ident(attname) as column,
      pg_get_serial_sequence(attrelid::regclass::text, attname) as sequence
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where attidentity <> '' and relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(db);
  const findings: Finding[] = [];
  for (const { table, column, sequence } of rows) {
    const found = await sql<{ highest: string }>`
      select max(${sql.raw(column)})::text as highest from ${sql.raw(table)}
      having max(${sql.raw(column)}) > coalesce(pg_sequence_last_value(${sequence}::regclass), 0)`.execute(db);
    const highest = found.rows[0]?.highest;
    if (highest !== undefined)
      findings.push(
        fault(
          'sequences',
          `${sequence} is behind ${table}.${column}, which goes up to ${highest}`,
          `select setval('${sequence}', ${highest}).`,
        ),
      );
  }
  return findings.length > 0 ? findings : [ok('sequences', 'all past their rows')];
}

/** Checks the mails that were given up, which the rules of the rows cannot show. */
export async function checkOutbox(db: Db): Promise<Finding[]> {
  const { rows } = await sql<{
    id: number;
    school_id: number | null;
    attempts: number;
    last_error: string | null;
    expired: boolean;
  }>`
    select id, school_id, attempts, last_error, send_until < now() as expired from mail_outbox
    where sent_at is null and (attempts > 1 or send_until < now()) order by id desc limit 5`.execute(db);
  return rows.map(({ id, school_id, attempts, last_error, expired }) =>
    note(
      `mail ${id} of school ${school_id}`,
      `${expired ? 'was never delivered' : 'is not delivered yet'} after ${attempts} attempts: ${last_error ?? 'no reason is known'}`,
      '`npm run flightline -- mail:test ADDRESS` says what the mail server answers.',
    ),
  );
}

/** Names the flights that begin below the end of the flight before, with no meter change between: lawful once ticked (C06). */
export async function checkOrderOfReadings(db: Db): Promise<Finding[]> {
  const { rows } = await sql<{ id: number; meter: string; start: string; before: number; end: string; total: string }>`
    select id, meter, start, before, "end", count(*) over () as total from (
      select id, school_id, aircraft_id, created_at, start_hobbs, start_tach, lag(id) over line as before,
        lag(end_hobbs) over line as last_hobbs, lag(end_tach) over line as last_tach, lag(completed_at) over line as since
      from flight_logs where completed_at is not null
      window line as (partition by school_id, aircraft_id order by created_at, id)
    ) as lines
      cross join lateral (values ('hobbs', start_hobbs, last_hobbs), ('tachometer', start_tach, last_tach))
        as readings (meter, start, "end")
    where start < "end" and not exists (
      select from meter_segments as segment
      where segment.school_id = lines.school_id and segment.aircraft_id = lines.aircraft_id and meter_type = meter
        and reason <> 'new aircraft' and started_at between since and created_at)
    order by id desc limit 5`.execute(db);
  return rows.map(({ id, meter, start, before, end, total }) =>
    note(
      `flight ${id}`,
      `begins at ${meter} ${start}, below ${end}, where flight ${before} before it ended (flights like this: ${total})`,
      'compare both with the aircraft, and correct the reading that is wrong at /flight-logs.',
    ),
  );
}
