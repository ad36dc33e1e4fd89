import { beforeEach, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { codeBudgets, countAttemptOrThrow, loginBudgets } from '#app/domain/people/login-budgets.server.ts';
import {
  makePasswordLinkFor,
  removeSecondFactorOf,
  setPasswordOf,
} from '#app/domain/people/operator-passwords.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { makeSecondFactor } from '#tests/support/second-factor.ts';

const { db } = await testDatabase();

let schoolId: number;
let anna: Member;
let joanna: Member;
beforeEach(async () => {
  await db.deleteFrom('login_attempts').execute();
  schoolId = await makeSchool(db);
  anna = await makeUser(db, schoolId, 'student', `Anna ${schoolId}`);
  // Names that begin or end as the other one.
  joanna = await makeUser(db, schoolId, 'student', `Jo-Anna ${schoolId}`);
});

async function failEverywhere(user: Member): Promise<string[]> {
  const budgets = [
    ...loginBudgets(user.username, { network: '203.0.113.9' }),
    ...loginBudgets(user.username, { network: '203.0.113.9', device: 'phone' }),
    ...codeBudgets(user.id, { network: '203.0.113.9' }),
    ...codeBudgets(user.id, { network: '203.0.113.9', device: 'phone' }),
  ];
  await countAttemptOrThrow(db, budgets);
  return budgets.map(({ key }) => key);
}

/** The mails that owners were sent of an act are counted beside them. */
const counted = async () => {
  const keys = db.selectFrom('login_attempts').select('key').where('key', 'not like', 'told:%');
  return (await keys.execute()).map(({ key }) => key);
};

it.each([
  ['a password', () => setPasswordOf(db, anna.username, 'seven grey herons')],
  ['a link', () => makePasswordLinkFor(db, anna.username)],
] as const)(
  '%s made on the command line forgets each failed sign-in of the user, and none of anybody else (B529)',
  async (_, make) => {
    await failEverywhere(anna);
    const others = await failEverywhere(joanna);
    await make();
    expect((await counted()).toSorted()).toEqual(others.toSorted());
  },
);

it('a second factor removed on the command line ends the sessions of its user, and of nobody else (B529)', async () => {
  await makeSecondFactor(db, anna);
  await Promise.all([anna, joanna].map((user) => cookieOf(db, user)));
  const liveOf = async (user: Member) => {
    const live = db.selectFrom('sessions').select('id').where('user_id', '=', user.id).where('revoked_at', 'is', null);
    return (await live.execute()).length;
  };
  expect(await removeSecondFactorOf(db, anna.username)).toBe(true);
  expect([await liveOf(anna), await liveOf(joanna)]).toEqual([0, 1]);
  expect(await removeSecondFactorOf(db, joanna.username)).toBe(false);
});
