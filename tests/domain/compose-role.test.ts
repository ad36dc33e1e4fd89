import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { connect } from '#db/connect.server.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { databaseUrl, superuserUrl } from '#tests/support/database-url.ts';

async function query<Row extends pg.QueryResultRow>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) ({ rows } = await client.query<Row>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

it('the role that compose runs the product as owns its tables and may do nothing else on the server (B1297)', async () => {
  const compose = await readFile('deploy/compose.yaml', 'utf8');
  const user = /DATABASE_URL: postgres:\/\/(\w+)@/.exec(compose)?.[1] ?? '';
  const superuser = /POSTGRES_USER: (\w+)/.exec(compose)?.[1];
  expect([user, superuser]).toEqual(['flightline', 'postgres']);
  expect(compose).toContain('./database.sql:/docker-entrypoint-initdb.d/database.sql:ro');

  // The roles are those of the whole server, so they get names of their own here.
  const name = `compose_${randomUUID().slice(0, 8)}`;
  const text = await readFile('deploy/database.sql', 'utf8');
  const statements = text
    .replaceAll(/^(?:--|\\).*$/gm, '')
    .replaceAll('flightline', name)
    .replaceAll(":'password'", "'in a test'")
    .split(';')
    .filter((each) => each.trim() !== '');
  const server = superuserUrl(inject('postgres').url);
  onTestFinished(async () => {
    const roles = [`drop role if exists ${name}`, `drop role if exists ${name}_activity`];
    await query(server, `drop database if exists ${name} with (force)`, ...roles);
  });
  await query(server, ...statements);

  const own = new URL(databaseUrl(server, name));
  own.username = name;
  const db = connect(own.href);
  onTestFinished(() => db.destroy());
  await migrateToLatest(db);
  const [role] = await query(
    own.href,
    `select rolname as role, rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication as can_more,
       pg_has_role(current_user, 'pg_read_server_files', 'member') as reads_files,
       (select count(*)::integer from pg_tables where schemaname = 'public' and tableowner <> current_user) as foreign
     from pg_roles where rolname = current_user`,
  );
  expect(role).toEqual({ role: name, can_more: false, reads_files: false, foreign: 0 });
  await expect(query(own.href, "select pg_read_file('/etc/hostname')")).rejects.toThrow('permission denied');
  await expect(query(own.href, "copy audit_entries to program 'id'")).rejects.toThrow('must be superuser');
});

it('the secrets of compose go neither into git nor into the image (B1297)', async () => {
  expect(await readFile('.gitignore', 'utf8')).toMatch(/^deploy\/secrets\/$/m);
  expect(await readFile('deploy/Dockerfile.dockerignore', 'utf8')).toMatch(/^\*\*\/secrets$/m);
});
