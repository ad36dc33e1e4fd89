import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { testDatabase } from '#tests/support/database.ts';

const { url } = await testDatabase();
/** What somebody exports for psql and another cluster; USER is not set, as under cron. */
const ENVIRONMENT: NodeJS.ProcessEnv = {
  NODE_ENV: 'test',
  ...{ PATH: process.env.PATH, PGHOST: 'elsewhere.invalid', PGPORT: '1', PGUSER: 'nobody', PGDATABASE: 'nothing' },
  ...{ PGSSLMODE: 'require', PGOPTIONS: '-c default_transaction_read_only=on', PGPASSWORD: 'x', PGAPPNAME: 'psql' },
};

/** Prints for each address what its connection is like. */
const PROGRAM = `
  import { connectClient } from './db/connect.server.ts';
  for (const address of process.argv.slice(1)) {
    try {
      const client = await connectClient(address, 'flightline command');
      const settings = ['port', 'application_name', 'default_transaction_read_only'];
      const asked = settings.map((name) => "current_setting('" + name + "')");
      const { rows } = await client.query({ text: 'select current_database(), ' + asked, rowMode: 'array' });
      console.log(rows[0].join(' '));
      await client.end();
    } catch (error) {
      console.log(error.message);
    }
  }`;

it('a connection is made from settings alone, an address without a user is that of the system (B371)', async () => {
  const withoutUser = url.replace(/\/\/[^@]*@/, '//');
  const args = ['--import', 'tsx', '--input-type=module', '-e', PROGRAM, url, withoutUser];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: ENVIRONMENT });
  const name = new URL(url).pathname.slice(1);
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    `${name} 5432 flightline command off`,
    `role "${userInfo().username}" does not exist`,
  ]);
});
