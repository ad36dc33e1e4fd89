import type { Db } from '#db/connect.server.ts';
import { seed } from '#db/seed.ts';
import { DEMO_PASSWORD } from '#db/seed/demo-school.ts';

const DEMO_USERNAMES = ['admin', 'instructor', 'student'];

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
