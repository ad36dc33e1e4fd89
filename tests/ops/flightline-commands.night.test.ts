import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ended } from '#tests/support/ended.ts';
import { makeSecondFactor } from '#tests/support/second-factor.ts';
import { testDatabase } from '#tests/support/database.ts';
import { startCommand } from '#tests/support/program.ts';
import { insert } from '#tests/support/rows.ts';
import { makePeople, makeSchool, PASSWORD } from '#tests/support/school.ts';
import { startServer } from '#tests/support/server.ts';
import { COMMANDS } from '../../scripts/flightline/commands.ts';
import { UsageError } from '../../scripts/flightline/command.ts';

const { db, url: DATABASE_URL } = await testDatabase();

async function flightline(args: string[], env: Record<string, string> = {}, input?: string) {
  const options = { env: { DATABASE_URL, ...env }, ...(input !== undefined && { input }) };
  const program = startCommand('flightline', args, options);
  const code = await program.ended();
  const output = program.output();
  expect(output).not.toMatch(/^\s+at /m);
  return { code, output };
}

describe('npm run flightline', () => {
  it('each command has --help with its usage, and refuses unknown options and wrong argument counts with 2 (B527)', async () => {
    for (const [name, load] of Object.entries(COMMANDS)) {
      const { command } = await load();
      expect(command.usage(name)).toContain(`Usage: npm run flightline -- ${[name, ...command.operands].join(' ')}`);
      expect(command.usage(name).length).toBeGreaterThan(150);
      const operands = command.operands.map((operand) => operand.toLowerCase());
      const wrong = [
        [...operands, '--nix'],
        [...operands, 'more'],
        ...(operands.length > 0 ? [[], operands.map(() => '')] : []),
      ];
      for (const args of wrong)
        expect(() => command.parse(name, args), `${name} ${args.join(' ')}`).toThrow(UsageError);
      expect(() => command.parse(name, operands)).not.toThrow();
    }
  });

  it('flightline lists its commands, exits with 2 on wrong use, and with 1 when it cannot ask the database (B527)', async () => {
    const overview = await flightline([]);
    for (const name of Object.keys(COMMANDS)) expect(overview.output).toContain(`\n  ${name} `);
    expect(overview.code).toBe(0);
    expect(await flightline(['backup', '--help'])).toMatchObject(ended(0, '[--overwrite]'));
    const unknown = await flightline(['dance']);
    expect(unknown).toEqual({
      code: 2,
      output: "\nThere is no command 'dance'. `npm run flightline -- --help` lists them.\n",
    });
    expect(await flightline(['user:list', '--all'])).toMatchObject(ended(2, "Unknown option '--all'."));
    const nowhere = await flightline(['user:list'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' });
    expect(nowhere).toMatchObject(ended(1, 'cannot be reached'));
  });

  it('db:status and doctor describe the database, and exit with 1 for one that is read-only or not current (B528)', async () => {
    const status = await flightline(['db:status']);
    expect(status.output).toMatch(/^writes +taken$/m);
    expect(status.output).toContain("this version's");
    expect(status.code).toBe(0);
    const readOnly = { DATABASE_URL: `${DATABASE_URL}&options=-c%20default_transaction_read_only%3Don` };
    expect(await flightline(['db:status'], readOnly)).toMatchObject(ended(1, 'set to read-only'));
    const doctor = await flightline(['doctor'], {
      ...readOnly,
      TRUST_PROXY: '0',
      APP_URL: 'https://school.example',
      SMTP_URL: 'smtp://127.0.0.1:1',
    });
    expect(doctor.output).toContain('FAULT   database: takes no writes');
    expect(doctor.output).toContain('FAULT   TRUST_PROXY: is 0 behind a proxy');
    expect(doctor.output).toContain('FAULT   mail: 127.0.0.1:1: Nothing listens there');
    expect(doctor.output).toMatch(/\n[3-5] faults\.\n$/);
    expect(doctor.code).toBe(1);
  });

  it('doctor names unknown time zones, disabled constraints, sequences that are behind and a newer schema (B528)', async () => {
    const schoolId = await makeSchool(db, { time_zone: 'Mars/Olympus' });
    await makePeople(db, schoolId);
    await sql`alter table audit_entries disable trigger append_only`.execute(db);
    await sql`insert into aircraft (id, school_id, tail_number, make, model, year)
      overriding system value values (4711, ${schoolId}, 'N1', 'Cessna', '172', 2004)`.execute(db);
    await insert(db, 'photos', { school_id: schoolId, user_id: 1, content: Buffer.from('jpeg'), width: 8, height: 6 });
    const { code, output } = await flightline(['doctor', '--quiet']);
    expect(output).toContain(
      `FAULT   time zone of school ${schoolId}, Cascade Flight School: Mars/Olympus is not known to this Node`,
    );
    expect(output).toContain('FAULT   constraints: trigger append_only of audit_entries is disabled');
    expect(output).toContain('FAULT   sequences: public.aircraft_id_seq is behind aircraft.id, which goes up to 4711');
    expect(output).toContain('To mend it: select setval');
    expect(output).toMatch(
      /FAULT {3}A photo belongs to nothing\n +photo \d+ of school \d+: taken .+\n +To mend it: delete the photo/,
    );
    expect(output).toMatch(/\n[4-6] faults\.\n$/);
    expect(code).toBe(1);
    await sql`alter table audit_entries enable trigger append_only`.execute(db);
    await sql`insert into kysely_migration values ('999-future', '2030-01-01T00:00:00Z')`.execute(db);
    const newer = await flightline(['doctor', '--quiet']);
    await sql`delete from kysely_migration where name = '999-future'`.execute(db);
    expect(newer).toMatchObject(
      ended(1, 'FAULT   schema: The schema is newer than this version of Flightline: it has 999-future.'),
    );
  });

  it('user:password lets the only administrator in again by password, by link and without the second factor (B529)', async () => {
    const server = await startServer({ LOG_LEVEL: 'warn' });
    try {
      const { administrator } = await makePeople(server.db, await makeSchool(server.db));
      const { id, username, schoolId } = administrator;
      const signIn = (password: string) =>
        fetch(`${server.url}/api/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username, password }),
        }).then(({ status }) => status);
      const env = { DATABASE_URL: server.databaseUrl, APP_URL: server.url };
      expect(await signIn(PASSWORD)).toBe(200);
      // As many as lock out for minutes.
      for (let n = 0; n < 11; n += 1) await signIn('a wrong guess');
      expect(await signIn(PASSWORD)).toBe(429);

      const set = await flightline(['user:password', username], env, 'seven grey herons\n');
      expect(set).toMatchObject(ended(0, `${username} can sign in with the new password`));
      expect(set.output).not.toContain('herons');
      expect(await signIn('seven grey herons')).toBe(200);
      expect(await signIn(PASSWORD)).toBe(401);

      const { output } = await flightline(['user:password', username, '--link'], env);
      const link = /^http\S+$/m.exec(output)?.[0] ?? '';
      expect(await (await fetch(link)).text()).toContain('name="password"');

      await makeSecondFactor(server.db, { id });
      expect(await signIn('seven grey herons')).toBe(401);
      expect(await flightline(['user:password', username, '--remove-second-factor'], env)).toMatchObject({ code: 0 });
      expect(await signIn('seven grey herons')).toBe(200);

      const acts = [
        'set password on the command line',
        'made password link on the command line',
        'removed second factor',
      ];
      const events = server.db.selectFrom('audit_entries').select(['action', 'user_id', 'subject_id', 'school_id']);
      const about = { user_id: null, subject_id: id, school_id: schoolId };
      expect(await events.where('action', 'in', acts).orderBy('id').execute()).toEqual(
        acts.map((action) => ({ action, ...about })),
      );
      const sessions = server.db.selectFrom('sessions').where('user_id', '=', id).where('revoked_at', 'is', null);
      expect(await sessions.select('id').execute()).toHaveLength(1);

      expect(await flightline(['user:password', 'nobody', '--link'], env)).toEqual({
        code: 1,
        output: '\nUser not found.\n',
      });
      const list = await flightline(['user:list'], env);
      const row = `^${username} +administrator +Cascade Flight School +${username}@school\\.example +no +\\d{4}-`;
      expect(list.output).toMatch(new RegExp(row, 'm'));
      expect(list).toMatchObject(ended(0, '3 users.'));
    } finally {
      await server.stop();
    }
  });
});
