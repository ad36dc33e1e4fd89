import type { Db } from '#db/connect.server.ts';
import { seed } from '#db/seed.ts';

const SIGN_INS = ['admin', 'instructor', 'student'];

/** Fills a database that holds nobody with the demo school; returns whether it did. */
export async function seedWhenEmpty(db: Db): Promise<boolean> {
  if (await isInhabited(db)) return false;
  await seed(db);
  return true;
}

/** A line for each demo sign-in this database still has. */
export async function demoSignIns(db: Db): Promise<string[]> {
  const found = await db
    .selectFrom('users')
    .select('username_key')
    .where('username_key', 'in', SIGN_INS)
    .where('deleted_at', 'is', null)
    .execute();
  const present = new Set(found.map((user) => user.username_key));
  return SIGN_INS.filter((name) => present.has(name)).map((name) => `${name.padEnd(12)} flightline-demo`);
}

async function isInhabited(db: Db): Promise<boolean> {
  const school = await db.selectFrom('schools').select('id').limit(1).executeTakeFirst();
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  return school !== undefined || user !== undefined;
}
