import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { errorTextOf } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { cookieOf, formRequest, getRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

/** The operation commits, then its connection breaks before the answer: what a failover does. */
const connection = vi.hoisted(() => ({ breaksAfterCommit: false }));
vi.mock(import('#db/transaction.ts'), async (original) => {
  const module = await original();
  const inTransaction: typeof module.inTransaction = async (...args) => {
    const result = await module.inTransaction(...args);
    if (connection.breaksAfterCommit) throw new Error('Connection terminated unexpectedly');
    return result;
  };
  return { ...module, inTransaction };
});

const { db } = await testDatabase();

let admin: Member, pilot: Member, flightId: number;
beforeEach(async () => {
  connection.breaksAfterCommit = false;
  const schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  pilot = await makeUser(db, schoolId);
  flightId = await makeFlight(db, pilot, await makeAircraft(db, schoolId));
});

const readings = { endHobbsTime: '101.2', endTachTime: '91.0' };
const changes = {
  'a check-in': { path: () => `/flight-log/${flightId}/post-check`, by: () => pilot, fields: readings },
  'closing on behalf': {
    path: () => `/flight-logs/${flightId}/close`,
    by: () => admin,
    fields: { ...readings, reason: 'Left' },
  },
  'cancelling a check-out': {
    path: () => `/flight-logs/${flightId}/cancel`,
    by: () => pilot,
    fields: { reason: 'Fog' },
  },
};

it.each(Object.entries(changes))(
  'a lost answer of %s is a 503 with form and request id; sent again its page has the form (B400, B401)',
  async (_, { path, by, fields }) => {
    const requestId = randomUUID();
    const cookie = await cookieOf(db, by());
    const send = () => answerTo(formRequest(path(), { ...fields, requestId }, cookie));
    connection.breaksAfterCommit = true;
    const lost = await send();
    connection.breaksAfterCommit = false;
    expect(lost).toMatchObject({ status: 503, body: { requestId, result: { initialValue: fields } } });
    expect((await send()).status).toBe(303);
    const page = await answerTo(getRequest(path(), cookie));
    expect(page, 'rather than a page that only says 409').toMatchObject({
      status: 409,
      body: { flight: { id: flightId } },
    });
    expect(errorTextOf(page)).toMatch(/^This (flight has already been completed|check-out was cancelled)\.$/);
  },
);
