import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { connect } from '#db/connect.server.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { databaseRoleOf } from '#db/product-role.ts';
import { CHANGES, REFUSED, WAYS_ROUND } from '#tests/support/activity/ways-round.ts';
import { databaseUrl, superuserUrl } from '#tests/support/database-url.ts';
import { query } from '#tests/support/query.ts';

/** The address of a secret as docs/operate.md writes it, with a password of its own. */
function addressOf(role: string): string {
  return `postgres://${role}:secret-of-${role}@database/flightline?sslmode=disable`;
}

const SECRETS = [
  ['owner', 'flightline'],
  ['product', 'flightline_app'],
] as const;

describe('Compose', () => {
  it('the product signs in as flightline_app, and only the step before it as the owner of the tables (B1297)', async () => {
    const compose = await readFile('deploy/compose.yaml', 'utf8');
    const service = (name: string) => new RegExp(`^  ${name}:\n(?:    .*\n|\n)*`, 'm').exec(compose)?.[0] ?? '';
    expect(/POSTGRES_USER: (\w+)/.exec(compose)?.[1]).toBe('postgres');
    expect(compose).toContain('./database.sql:/docker-entrypoint-initdb.d/database.sql:ro');
    const [owner, product] = [
      /OWNER_URL_FILE: \/run\/secrets\/owner\n/,
      /DATABASE_URL_FILE: \/run\/secrets\/product\n/,
    ];
    for (const part of [owner, /secrets: \[owner, product\]/]) expect(service('migrate')).toMatch(part);
    for (const part of [product, /secrets: \[product, session\]/]) expect(service('flightline')).toMatch(part);
    expect(service('flightline')).not.toContain('owner');
    expect(service('flightline')).toMatch(/migrate:\n +condition: service_completed_successfully/);
    const guide = await readFile('docs/operate.md', 'utf8');
    for (const [secret, role] of SECRETS) {
      const address = addressOf(role).replace(`secret-of-${role}`, '$(openssl rand -hex 32)');
      expect(guide).toContain(`echo "${address}" > deploy/secrets/${secret}`);
    }
    // They go neither into git nor into the image.
    expect(await readFile('.gitignore', 'utf8')).toMatch(/^deploy\/secrets\/$/m);
    expect(await readFile('deploy/Dockerfile.dockerignore', 'utf8')).toMatch(/^\*\*\/secrets$/m);
  });

  it('database.sql reads from the secrets the passwords that the addresses have (B1297)', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'secrets-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const script = await readFile('deploy/database.sql', 'utf8');
    for (const [secret, role] of SECRETS) {
      await writeFile(path.join(folder, secret), `${addressOf(role)}\n`);
      const command = new RegExp(`^\\\\set ${secret} \`(.*)\`$`, 'm').exec(script)?.[1] ?? '';
      const read = execFileSync('sh', ['-c', command.replace('/run/secrets', folder)], { encoding: 'utf8' });
      expect(read.trim()).toBe(`secret-of-${role}`);
    }
  });

  it('its product owns nothing, reads no file of the server and cannot change the activity (B1297, B1450)', async () => {
    // The roles are those of the whole server, so they get names of their own here.
    const name = `compose_${randomUUID().slice(0, 8)}`;
    const text = await readFile('deploy/database.sql', 'utf8');
    const statements = text
      .replaceAll(/^(?:--|\\).*$/gm, '')
      .replaceAll('flightline', name)
      .replaceAll(/:'\w+'/g, "'in a test'")
      .split(';')
      .filter((each) => each.trim() !== '');
    const server = superuserUrl(inject('postgres').url);
    onTestFinished(async () => {
      const roles = [`drop role if exists ${name}`, `drop role if exists ${name}_app`];
      await query(server, `drop database if exists ${name} with (force)`, ...roles);
    });
    await query(server, ...statements);
    const addressFor = (role: string) => {
      const url = new URL(databaseUrl(server, name));
      url.username = role;
      return url.href;
    };
    const product = addressFor(`${name}_app`);
    const owner = connect(addressFor(name));
    onTestFinished(() => owner.destroy());
    await migrateToLatest(owner, { product: databaseRoleOf(product) });

    const [role] = await query(
      product,
      `select rolname as role, rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication as can_more,
         pg_has_role('pg_read_server_files', 'member') as reads_files,
         (select count(*)::integer from pg_tables where schemaname = 'public' and tableowner = current_user) as owned
       from pg_roles where rolname = current_user`,
    );
    expect(role).toEqual({ role: `${name}_app`, can_more: false, reads_files: false, owned: 0 });
    await expect(query(product, "select pg_read_file('/etc/hostname')")).rejects.toThrow('permission denied');
    await expect(query(product, "copy audit_entries to program 'id'")).rejects.toThrow(
      /must be superuser|permission denied/,
    );
    for (const statement of [...CHANGES, ...WAYS_ROUND]) {
      const here = statement.replaceAll('flightline_owner', name).replaceAll('flightline_app', `${name}_app`);
      await expect(query(product, here), here).rejects.toThrow(REFUSED);
    }
    await query(product, "insert into schools (name) values ('Cascade')");
    expect(await query(product, 'select name from schools')).toEqual([{ name: 'Cascade' }]);
  });
});
