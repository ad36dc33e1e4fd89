import type { Db } from '#db/connect.server.ts';
import { seed } from '#db/seed.ts';
import { isThisMachine } from '#db/hosts.ts';
import { DEMO_PASSWORD } from '#db/seed/demo-school.ts';

const DEMO_USERNAMES = ['admin', 'instructor', 'student'];
const DESPITE_ADDRESS = '--demo-on-public-address';

/** Says why the demo school may not be served at this address: everybody can read its passwords. Undefined where it may. */
export function refuseDemo(appUrl: string | undefined, args: readonly string[]): string | undefined {
  if (appUrl === undefined || isThisMachine(new URL(appUrl).hostname) || args.includes(DESPITE_ADDRESS))
    return undefined;
  return `The passwords of the demo school are known to everybody, and APP_URL (${appUrl}) is not an address of this machine. Make a school of your own with npm run school:create, or add -- ${DESPITE_ADDRESS}.`;
}

/** Fills an empty database with the demo school; returns true if it did. */
export async function seedIfEmpty(db: Db): Promise<boolean> {
  if (await isInUse(db)) return false;
  await seed(db);
  return true;
}

/** Returns a line with username and password for each demo user that still exists. */
export async function describeDemoLogins(db: Db): Promise<string[]> {
  const found = await db
    .selectFrom('users')
    .select('username_key')
    .where('username_key', 'in', DEMO_USERNAMES)
    .where('deleted_at', 'is', null)
    .execute();
  const present = new Set(found.map((user) => user.username_key));
  return DEMO_USERNAMES.filter((name) => present.has(name)).map((name) => `${name.padEnd(12)} ${DEMO_PASSWORD}`);
}

async function isInUse(db: Db): Promise<boolean> {
  const school = await db.selectFrom('schools').select('id').limit(1).executeTakeFirst();
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  return school !== undefined || user !== undefined;
}
