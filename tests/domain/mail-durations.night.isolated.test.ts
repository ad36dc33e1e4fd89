import { beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#db/transaction.ts';
import { closeFlight } from '#app/domain/flights/close-flight.server.ts';
import { deliverNextMail } from '#app/domain/mail/deliver.server.ts';
import { claimMail, queueMail } from '#app/domain/mail/queries.server.ts';
import { runCleanup } from '#app/background/scheduled-cleanup.server.ts';
import { DAY, MINUTE, SECOND, stopClock } from '#tests/support/clock.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { nightly } from '#tests/support/takes-all.ts';

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
const take = () => deliverNextMail(db, async () => undefined);
const refuse = (words = 'Try later') =>
  deliverNextMail(db, async () => {
    throw new Error(words);
  });
const rows = () => db.selectFrom('mail_outbox').selectAll().execute();

describe('a mail that the server refuses', () => {
  it('a refused mail is tried again after 5 seconds, then after twice as long each time, at most an hour (C23)', async () => {
    await queue();
    for (const pause of [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]) {
      expect(await refuse()).toMatchObject({ error: 'Try later' });
      await clock.pass(pause * SECOND - 1);
      expect(await take(), `${pause} seconds less a millisecond`).toBeUndefined();
      await clock.pass(1);
    }
    expect(await take()).toMatchObject({ attempts: 13 });
  });

  it('a refused mail keeps at most 500 characters of what the server said (C23)', async () => {
    for (const length of [499, 500, 501]) {
      await db.deleteFrom('mail_outbox').execute();
      await queue();
      await refuse('x'.repeat(length));
      expect((await rows())[0]?.last_error).toBe('x'.repeat(Math.min(length, 500)));
    }
  });
});

nightly('a mail that a worker has in hand is due to another one after two minutes (C23)', async () => {
  await queue();
  expect(await claimMail(db)).toMatchObject({ attempts: 1 });
  await clock.pass(2 * MINUTE - 1);
  expect(await claimMail(db)).toBeUndefined();
  await clock.pass(1);
  expect(await claimMail(db)).toMatchObject({ attempts: 2 });
});

it('a pilot is told of a closed flight within a week, or not at all (C08)', async () => {
  const admin = await makeUser(db, schoolId, 'administrator');
  const id = await makeFlight(db, await makeUser(db, schoolId), await makeAircraft(db, schoolId));
  await closeFlight(db, admin, id, { endHobbsTime: '101.2', endTachTime: '91.0', reason: 'Left for home' });
  await clock.pass(7 * DAY);
  expect(await take()).toBeUndefined();
  await clock.pass(-1);
  expect(await take()).toMatchObject({ attempts: 1 });
});

describe('what is left of a mail', () => {
  it.each([
    ['that was sent goes 30 days after it was', () => take(), 30 * DAY],
    ['that never left goes 30 days after its point has passed', async () => undefined, 31 * DAY],
  ])('a mail %s (C23)', async (_, deliver, life) => {
    await queue(DAY);
    await deliver();
    await clock.pass(life);
    await runCleanup(db);
    expect(await rows()).toHaveLength(1);
    await clock.pass(1);
    await runCleanup(db);
    expect(await rows()).toEqual([]);
  });
});
