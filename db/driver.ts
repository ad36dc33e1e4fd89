import { userInfo } from 'node:os';
import pg from 'pg';

// Settings alone make a connection: psql's variables in the environment are meant for another database.
for (const name of Object.keys(process.env)) if (/^PG[A-Z]/.test(name)) delete process.env[name];
pg.defaults.user ??= systemUser();

/** The driver of Postgres, which makes every connection of the product. */
export default pg;

/** Returns the name of the user who runs this process, as psql does for an address without one, whatever USER says. */
function systemUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a number that no name belongs to.
    return undefined;
  }
}
