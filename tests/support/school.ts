import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { Db } from '#db/connect.server.ts';
import { type Role, ROLES } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import { usernameKey } from '#app/domain/people/username.ts';
import { type Columns, insertRow } from './rows.ts';

export const PASSWORD = 'flightline-demo';
// As cheap as argon2 can be: what a sign-in costs is for the tests that are about it.
const passwordHash = hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 });

/** A school with nobody in it; its id. */
export function makeSchool(db: Db, columns: Columns<'schools'> = {}): Promise<number> {
  const school = { name: 'Cascade Flight School', address: '1 Field Road', phone: '555 0100' };
  return insertRow(db, 'schools', { ...school, ...columns });
}

/** A live user of each role, with the password `PASSWORD`. */
export async function makePeople(db: Db, schoolId: number): Promise<Record<Role, Member>> {
  const people = await Promise.all(ROLES.map(async (role) => [role, await makeUser(db, schoolId, role)] as const));
  return Object.fromEntries(people) as Record<Role, Member>;
}

/** A live user of the school with the password `PASSWORD`. */
export async function makeUser(db: Db, schoolId: number, role: Role = 'student', name?: string): Promise<Member> {
  const username = name ?? `${role}-${randomUUID().slice(0, 8)}`;
  const username_key = usernameKey(username);
  const email = `${username_key}@school.example`;
  const user = { school_id: schoolId, username, username_key, email, role, password_hash: await passwordHash };
  const id = await insertRow(db, 'users', user);
  return { id, username, email, role, schoolId, timeZone: 'UTC' };
}

/** An available aircraft of the school; its id. */
export function makeAircraft(db: Db, school_id: number, columns: Columns<'aircraft'> = {}): Promise<number> {
  const tail_number = `N${randomUUID().slice(0, 6).toUpperCase()}`;
  return insertRow(db, 'aircraft', { school_id, tail_number, make: 'Cessna', model: '172S', year: 2004, ...columns });
}

/** An open squawk that a person reported; its id. */
export function makeSquawk(db: Db, author: Member, aircraft_id: number, columns: Columns<'squawks'> = {}) {
  const reported = { school_id: author.schoolId, user_id: author.id, aircraft_id, text: 'Left brake soft.' };
  return insertRow(db, 'squawks', { ...reported, ...columns });
}

/** A school with an administrator, a pilot and an aircraft that is free. */
export async function makeScene(db: Db, aircraft: Columns<'aircraft'> = {}) {
  const schoolId = await makeSchool(db);
  const admin = await makeUser(db, schoolId, 'administrator');
  const pilot = await makeUser(db, schoolId);
  return { schoolId, admin, pilot, aircraftId: await makeAircraft(db, schoolId, aircraft) };
}
