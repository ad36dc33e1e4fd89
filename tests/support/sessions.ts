import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

/** Lets the user's sessions run out, as time would. */
export async function expireSessions(db: Db, user: { id: number }): Promise<void> {
  await sql`update sessions set expires_at = now() - interval '1 minute' where user_id = ${user.id}`.execute(db);
}

/** As if the user had last entered the password so many minutes ago. */
export async function ageProof(db: Db, user: { id: number }, minutes: number): Promise<void> {
  const proved_at = sql<Date>`now() - ${minutes} * interval '1 minute'`;
  await db.updateTable('sessions').set({ proved_at }).where('user_id', '=', user.id).execute();
}

/** Ends the user's sessions, as signing out does; oldest first, so that two who do so at once never deadlock. */
export async function revokeSessions(db: Db, user: { id: number }): Promise<void> {
  const inOrder = db.selectFrom('sessions').select('id').where('user_id', '=', user.id).orderBy('number').forUpdate();
  const ids = db
    .with('locked', () => inOrder)
    .selectFrom('locked')
    .select('id');
  await db.updateTable('sessions').set({ revoked_at: new Date() }).where('id', 'in', ids).execute();
}

/** A session of the user's in another browser; its number. */
export async function makeSession(db: Db, user: { id: number }): Promise<number> {
  const [expires_at, ends_at] = [new Date(Date.now() + 3_600_000), new Date(Date.now() + 7_200_000)];
  const { number } = await db
    .insertInto('sessions')
    .values({ id: randomUUID(), user_id: user.id, expires_at, ends_at })
    .returning('number')
    .executeTakeFirstOrThrow();
  return number;
}
