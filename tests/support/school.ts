import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { Db } from '#db/connect.server.ts';
import type { NewRow } from '#db/tables.ts';
import { type Role, ROLES } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import { usernameKey } from '#app/domain/people/username.ts';

export const PASSWORD = 'flightline-demo';
// As cheap as argon2 can be: what a sign-in costs is for the tests that are about it.
const passwordHash = hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 });

/** A school with nobody in it; its id. */
export async function makeSchool(db: Db, columns: Partial<NewRow<'schools'>> = {}): Promise<number> {
  const { id } = await db
    .insertInto('schools')
    .values({ name: 'Cascade Flight School', address: '1 Field Road', phone: '555 0100', ...columns })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A live user of each role, with the password `PASSWORD`. */
export async function makePeople(db: Db, schoolId: number): Promise<Record<Role, Member>> {
  const people = await Promise.all(ROLES.map(async (role) => [role, await makeUser(db, schoolId, role)] as const));
  return Object.fromEntries(people) as Record<Role, Member>;
}

/** A live user of the school with the password `PASSWORD`. */
export async function makeUser(db: Db, schoolId: number, role: Role = 'student', name?: string): Promise<Member> {
  const username = name ?? `${role}-${randomUUID().slice(0, 8)}`;
  const email = `${usernameKey(username)}@school.example`;
  const { id } = await db
    .insertInto('users')
    .values({
      school_id: schoolId,
      username,
      username_key: usernameKey(username),
      email,
      role,
      password_hash: await passwordHash,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, username, email, role, schoolId, timeZone: 'UTC' };
}

/** An available aircraft of the school; its id. */
export async function makeAircraft(
  db: Db,
  schoolId: number,
  columns: Partial<NewRow<'aircraft'>> = {},
): Promise<number> {
  const { id } = await db
    .insertInto('aircraft')
    .values({
      school_id: schoolId,
      tail_number: `N${randomUUID().slice(0, 6).toUpperCase()}`,
      make: 'Cessna',
      model: '172S',
      year: 2004,
      ...columns,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** An open squawk that a person reported; its id. */
export async function makeSquawk(
  db: Db,
  author: Member,
  aircraft_id: number,
  columns: Partial<NewRow<'squawks'>> = {},
): Promise<number> {
  const reported = { school_id: author.schoolId, user_id: author.id, aircraft_id, text: 'Left brake soft.' };
  const { id } = await db
    .insertInto('squawks')
    .values({ ...reported, ...columns })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A school with an administrator, a pilot and an aircraft that is free. */
export async function makeScene(db: Db, aircraft: Partial<NewRow<'aircraft'>> = {}) {
  const schoolId = await makeSchool(db);
  const admin = await makeUser(db, schoolId, 'administrator');
  const pilot = await makeUser(db, schoolId);
  return { schoolId, admin, pilot, aircraftId: await makeAircraft(db, schoolId, aircraft) };
}
