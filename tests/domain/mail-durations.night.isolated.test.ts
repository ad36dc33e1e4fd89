import { beforeEach, expect, it, vi } from 'vitest';
import { inTransaction } from '#db/transaction.ts';
import { closeFlight } from '#app/domain/flights/end-flight.server.ts';
import { mailJob } from '#app/domain/mail/mail-job.server.ts';
import { queueMail } from '#app/domain/mail/queries.server.ts';
import { DAY, stopClock } from '#tests/support/clock.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { runNextJob } from '#tests/support/jobs.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db, url } = await testDatabase();
const START = '2030-06-01T12:00:00.000Z';
const clock = await stopClock(url, START);
const schoolId = await makeSchool(db);

beforeEach(async () => {
  await clock.set(START);
  await db.deleteFrom('mail_outbox').execute();
});

const letter = { subject: 'Hello', before: [], link: { label: 'Open', url: 'https://flights.example/' }, after: [] };
const zoe = { name: 'Zoë', address: 'zoe@school.example' };
const queue = () => inTransaction(db, (trx) => queueMail(trx, schoolId, zoe, letter, new Date(Date.now() + 365 * DAY)));
const send = (how: () => Promise<undefined>) => runNextJob(db, mailJob(db, how));
const refuse = (words = 'Try later') => send(() => Promise.reject(new Error(words)));

it('a refused mail keeps at most 500 characters of what the server said (C23)', async () => {
  for (const length of [499, 500, 501]) {
    await db.deleteFrom('mail_outbox').execute();
    await queue();
    await refuse('x'.repeat(length));
    const { last_error } = await db.selectFrom('mail_outbox').select('last_error').executeTakeFirstOrThrow();
    expect(last_error).toBe('x'.repeat(Math.min(length, 500)));
  }
});

it('a pilot is told of a closed flight within a week, or not at all (C08)', async () => {
  const admin = await makeUser(db, schoolId, 'administrator');
  const id = await makeFlight(db, await makeUser(db, schoolId), await makeAircraft(db, schoolId));
  await closeFlight(db, admin, id, { endHobbsTime: '101.2', endTachTime: '91.0', reason: 'Left for home' });
  await clock.pass(7 * DAY - 1);
  const sent = vi.fn(async () => undefined);
  expect(await refuse()).toMatchObject({ outcome: 'failed' });
  await clock.pass(1);
  await send(sent);
  expect(sent).not.toHaveBeenCalled();
  expect(await send(sent)).toBeUndefined();
});
