import { type InsertObject, sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { cleanUp } from '#app/background/recurring-jobs.server.ts';
import type { Database } from '#db/tables.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { insertRow } from '#tests/support/rows.ts';

const { db } = await testDatabase();

it('only old answers, drafts, sessions, sign-in attempts, challenges and mail are erased (C58, C57, C26, C37, C23)', async () => {
  const user = await makeUser(db, await makeSchool(db));
  const ago = (hours: number) => sql<Date>`now() - ${hours} * interval '1 hour'`;
  await sql`insert into idempotency_keys (scope, key, operation, request_hash, created_at)
    select 'user:1', n || ' hours old', '', '', now() - n * interval '1 hour' from unnest(array[49, 47]) n`.execute(db);
  await sql`insert into drafts (user_id, form, body, updated_at)
    select ${user.id}, n || ' hours old', '{}', now() - n * interval '1 hour' from unnest(array[13, 11]) n`.execute(db);
  await sql`insert into sessions (id, user_id, expires_at, ends_at) select n || ' hours over', ${user.id},
    now() - n * interval '1 hour', now() - n * interval '1 hour' from unnest(array[200, 100]) n`.execute(db);
  await sql`insert into login_attempts (key, failures, expires_at)
    select 'over for ' || n, 1, now() - n * interval '1 hour' from unnest(array[1, -1]) n`.execute(db);
  await sql`insert into used_passkey_challenges (challenge, expires_at)
    select 'asked, over for ' || n, now() - n * interval '1 hour' from unnest(array[1, -1]) n`.execute(db);
  const mail = (name: string, columns: Partial<InsertObject<Database, 'mail_outbox'>>) =>
    insertRow(db, 'mail_outbox', {
      ...{ school_id: user.schoolId, to_name: name, to_address: '', subject: '', body_text: '', body_html: '' },
      ...columns,
    });
  await mail('sent long ago', { sent_at: ago(31 * 24) });
  await mail('sent', { sent_at: ago(29 * 24), send_until: ago(40 * 24) });
  await mail('never sent, long past its point', { send_until: ago(31 * 24) });
  await mail('waiting', {});
  const id = await mail('sent long ago, of an invitation still pending', { sent_at: ago(31 * 24) });
  await makeInvitation(db, user, { mail_id: id });

  await cleanUp(db);

  const { rows } = await sql<{ name: string }>`
    select key as name from idempotency_keys union all select form from drafts union all select id from sessions
    union all select key from login_attempts union all select challenge from used_passkey_challenges
    union all select * from (select to_name from mail_outbox order by id) as mails`.execute(db);
  expect(rows.map(({ name }) => name)).toEqual([
    ...['47 hours old', '11 hours old', '100 hours over', 'over for -1', 'asked, over for -1'],
    ...['sent', 'waiting', 'sent long ago, of an invitation still pending'],
  ]);
});

it('the clean-up goes on with the next task after one that failed (C58, C57)', async () => {
  const user = await makeUser(db, await makeSchool(db));
  const old = { user_id: user.id, form: 'old', body: '{}', updated_at: sql<Date>`now() - interval '13 hours'` };
  await db.insertInto('drafts').values(old).execute();
  const deleteFrom = vi.spyOn(db, 'deleteFrom').mockImplementationOnce(() => {
    throw new Error('canceling statement due to statement timeout');
  });

  // The job is tried again soon.
  await expect(cleanUp(db)).rejects.toThrow('deleteExpiredIdempotencyKeys failed');

  deleteFrom.mockRestore();
  expect(await db.selectFrom('drafts').select('form').where('user_id', '=', user.id).execute()).toEqual([]);
});
