import { expect, inject, it } from 'vitest';
import { emptyDatabase } from '#tests/support/database.ts';

it('a database that is migrated for production has no school, no user and no session to start with', async () => {
  const { db } = await emptyDatabase(inject('postgres').template);
  for (const table of ['schools', 'users', 'sessions', 'invitations', 'password_links'] as const)
    expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([]);
});
