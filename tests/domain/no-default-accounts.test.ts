import { expect, it } from 'vitest';
import { migrateToLatest } from '#db/migrate.ts';
import { emptyDatabase } from '#tests/support/database.ts';

it('a database that is migrated for production has no school, no user and no session to start with', async () => {
  const { db } = await emptyDatabase();
  await migrateToLatest(db);
  for (const table of ['schools', 'users', 'sessions', 'invitations', 'password_links'] as const)
    expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([]);
});
