import { userInfo } from 'node:os';
import pg from 'pg';

// A connection is made from settings alone: what the environment holds for psql is meant for another database.
for (const name of Object.keys(process.env)) if (/^PG[A-Z]/.test(name)) delete process.env[name];
pg.defaults.user ??= systemUser();

/** The driver of Postgres; every connection of the product is made through it. */
export default pg;

/** Who runs this process, as psql takes it for an address without a user, whatever USER says. */
function systemUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a number that no name belongs to.
    return undefined;
  }
}
