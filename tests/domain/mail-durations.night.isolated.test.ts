import { beforeEach, describe, expect, it, vi } from 'vitest';
import { inTransaction } from '#db/transaction.ts';
import { closeFlight } from '#app/domain/flights/end-flight.server.ts';
import { mailJob } from '#app/domain/mail/mail-job.server.ts';
import { queueMail } from '#app/domain/mail/queries.server.ts';
import { cleanUp } from '#app/background/recurring-jobs.server.ts';
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
const queue = (life = 365 * DAY) =>
  inTransaction(db, (trx) =>
    queueMail(trx, schoolId, { name: 'Zoë', address: 'zoe@school.example' }, letter, new Date(Date.now() + life)),
  );
const take = () =>
  runNextJob(
    db,
    mailJob(db, async () => undefined),
  );
const refuse = (words = 'Try later') =>
  runNextJob(
    db,
    mailJob(db, async () => {
      throw new Error(words);
    }),
  );
const rows = () => db.selectFrom('mail_outbox').selectAll().execute();

describe('a mail that the server refuses', () => {
  it('a refused mail keeps at most 500 characters of what the server said (C23)', async () => {
    for (const length of [499, 500, 501]) {
      await db.deleteFrom('mail_outbox').execute();
      await queue();
      await refuse('x'.repeat(length));
      expect((await rows())[0]?.last_error).toBe('x'.repeat(Math.min(length, 500)));
    }
  });
});

it('a pilot is told of a closed flight within a week, or not at all (C08)', async () => {
  const admin = await makeUser(db, schoolId, 'administrator');
  const id = await makeFlight(db, await makeUser(db, schoolId), await makeAircraft(db, schoolId));
  await closeFlight(db, admin, id, { endHobbsTime: '101.2', endTachTime: '91.0', reason: 'Left for home' });
  await clock.pass(7 * DAY - 1);
  const sent = vi.fn(async () => undefined);
  expect(await refuse()).toMatchObject({ outcome: 'failed' });
  await clock.pass(1);
  await runNextJob(db, mailJob(db, sent));
  expect(sent).not.toHaveBeenCalled();
  expect(await take()).toBeUndefined();
});

describe('what is left of a mail', () => {
  it.each([
    ['that was sent goes 30 days after it was', () => take(), 30 * DAY],
    ['that never left goes 30 days after its point has passed', async () => undefined, 31 * DAY],
  ])('a mail %s (C23)', async (_, deliver, life) => {
    await queue(DAY);
    await deliver();
    await clock.pass(life);
    await cleanUp(db);
    expect(await rows()).toHaveLength(1);
    await clock.pass(1);
    await cleanUp(db);
    expect(await rows()).toEqual([]);
  });
});
