import { type InsertObject, sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { cleanUp } from '#app/background/recurring-jobs.server.ts';
import type { Database } from '#db/tables.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

it('only old answers, drafts, sessions, sign-in attempts, challenges and mail are erased (C58, C57, C26, C37, C23)', async () => {
  const user = await makeUser(db, await makeSchool(db));
  const ago = (hours: number) => sql<Date>`now() - ${hours} * interval '1 hour'`;
  await db
    .insertInto('idempotency_keys')
    .values(
      [49, 47].map((hours) => ({
        scope: 'user:1',
        key: `${hours} hours old`,
        operation: 'start flight',
        request_hash: '',
        response: null,
        created_at: ago(hours),
      })),
    )
    .execute();
  await db
    .insertInto('drafts')
    .values(
      [13, 11].map((hours) => ({ user_id: user.id, form: `${hours} hours old`, body: '{}', updated_at: ago(hours) })),
    )
    .execute();
  await db
    .insertInto('sessions')
    .values(
      [200, 100].map((hours) => ({
        id: `${hours} hours over`,
        user_id: user.id,
        expires_at: ago(hours),
        ends_at: ago(hours),
      })),
    )
    .execute();
  await db
    .insertInto('login_attempts')
    .values([1, -1].map((hours) => ({ key: `over for ${hours} hours`, failures: 1, expires_at: ago(hours) })))
    .execute();
  await db
    .insertInto('used_passkey_challenges')
    .values([1, -1].map((hours) => ({ challenge: `asked, over for ${hours} hours`, expires_at: ago(hours) })))
    .execute();
  const mail = (name: string, columns: Partial<InsertObject<Database, 'mail_outbox'>>) =>
    db
      .insertInto('mail_outbox')
      .values({
        school_id: user.schoolId,
        to_name: name,
        to_address: '',
        subject: '',
        body_text: '',
        body_html: '',
        ...columns,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
  await mail('sent long ago', { sent_at: ago(31 * 24) });
  await mail('sent', { sent_at: ago(29 * 24), send_until: ago(40 * 24) });
  await mail('never sent, long past its point', { send_until: ago(31 * 24) });
  await mail('waiting', {});
  const { id } = await mail('sent long ago, of an invitation still pending', { sent_at: ago(31 * 24) });
  await makeInvitation(db, user, { mail_id: id });

  await cleanUp(db);

  const left = [
    ...(await db.selectFrom('idempotency_keys').select('key as name').execute()),
    ...(await db.selectFrom('drafts').select('form as name').execute()),
    ...(await db.selectFrom('sessions').select('id as name').execute()),
    ...(await db.selectFrom('login_attempts').select('key as name').execute()),
    ...(await db.selectFrom('used_passkey_challenges').select('challenge as name').execute()),
    ...(await db.selectFrom('mail_outbox').select('to_name as name').orderBy('id').execute()),
  ];
  expect(left.map(({ name }) => name)).toEqual([
    '47 hours old',
    '11 hours old',
    '100 hours over',
    'over for -1 hours',
    'asked, over for -1 hours',
    'sent',
    'waiting',
    'sent long ago, of an invitation still pending',
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
