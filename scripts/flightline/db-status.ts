import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { findExecutedMigrations, findPendingMigrations, unknownSchemaText } from '#db/migrate.ts';
import { ensureDatabase, withDatabase, withoutPassword } from '../launcher/database.ts';
import { defineCommand } from './command.ts';
import { size } from './words.ts';

export const command = defineCommand({
  summary: 'says which database is used, its version, schema, size and connections',
  help: `Prints which database the settings lead to, the version of its Postgres and of its schema, how large it is, who is
connected, and whether it takes writes. It changes nothing.
Exit codes: 0 it answers, takes writes and has this version's schema; 1 any of that is not so.`,
  operands: [],
  options: {},
  run: async ({ settings }) => {
    const { url } = await ensureDatabase(settings);
    const kind = settings.DATABASE_URL ? 'of DATABASE_URL' : `embedded, in ${settings.DATA_DIR}`;
    console.log(line('database', `${withoutPassword(url)} (${kind})`));
    return withDatabase(url, printStatus);
  },
});

interface Server {
  version: string;
  name: string;
  role: string;
  bytes: string;
  read_only: boolean;
  standby: boolean;
  standbys: number;
  used: number;
  allowed: number;
  since: Date;
  zone: string;
}

async function printStatus(db: Db): Promise<0 | 1> {
  const { rows } = await sql<Server>`
    select current_setting('server_version') as version, current_database() as name, current_user as role,
      pg_database_size(current_database())::text as bytes, current_setting('transaction_read_only') = 'on' as read_only,
      pg_is_in_recovery() as standby, (select count(*)::integer from pg_stat_replication) as standbys,
      (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as used,
      current_setting('max_connections')::integer as allowed, pg_postmaster_start_time() as since,
      current_setting('timezone') as zone`.execute(db);
  const [server] = rows;
  if (!server) return 1;
  const { version, name, role, bytes, used, allowed, since, zone } = server;
  console.log(line('server', `PostgreSQL ${version}, up since ${since.toISOString()}, time zone ${zone}`));
  console.log(line('used as', `${role}, database ${name}, ${size(Number(bytes))}`));
  console.log(line('connections', `${used} of ${allowed}${await describeConnections(db)}`));
  console.log(line('writes', describeWrites(server)));
  const schema = await describeSchema(db);
  console.log(line('schema', schema.text));
  return server.read_only || !schema.isCurrent ? 1 : 0;
}

function line(about: string, text: string): string {
  return `${about.padEnd(12)} ${text}`;
}

function describeWrites({ standby, read_only, standbys }: Server): string {
  if (standby) return 'none: this is a standby of another server';
  if (read_only) return 'none: it is set to read-only';
  return standbys > 0 ? `taken, and passed on to ${standbys} standby servers` : 'taken';
}

async function describeConnections(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string; connections: number }>`
    select application_name as name, count(*)::integer as connections from pg_stat_activity
    where datname = current_database() and application_name <> '' group by 1 order by 2 desc, 1 limit 5`.execute(db);
  return rows.length === 0 ? '' : `; here: ${rows.map(({ name, connections }) => `${connections} ${name}`).join(', ')}`;
}

async function describeSchema(db: Db): Promise<{ text: string; isCurrent: boolean }> {
  const executed = await findExecutedMigrations(db);
  if (executed.length === 0) return { text: 'none yet: `npm run db:migrate` makes it', isCurrent: false };
  const newest = `${executed.length} migrations, the newest ${executed.at(-1)}`;
  const unknown = unknownSchemaText(executed);
  if (unknown !== undefined) return { text: `${newest}. ${unknown}`, isCurrent: false };
  const pending = await findPendingMigrations(db);
  if (pending.length > 0) return { text: `${newest}; this version has ${pending.join(', ')} to run`, isCurrent: false };
  return { text: `${newest}: this version's`, isCurrent: true };
}
