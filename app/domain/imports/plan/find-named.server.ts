import type { Db, Trx } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import { usernameKey } from '../../people/username.ts';
import { groupBy } from '../group-by.ts';

/**
 * The aircraft of the fleet by tail number, as files write it: 'D EABC' and 'DEABC' are D-EABC, unless that is an aircraft of
 * its own, or several are alike.
 */
export async function findFleetByTail(db: Db | Trx, schoolId: number) {
  const fleet = await db
    .selectFrom('aircraft')
    .select(['id', 'tail_number', 'make', 'model', 'year', 'last_hobbs', 'last_tach'])
    .select(({ eb }) => eb('maintenance_since', 'is not', null).as('inMaintenance'))
    .where('school_id', '=', schoolId)
    .where('deleted_at', 'is', null)
    .execute();
  const exact = new Map(fleet.map((aircraft) => [aircraft.tail_number, aircraft]));
  const alike = groupBy(fleet, ({ tail_number }) => tailNumberKey(tail_number));
  return (tailNumber: string) => {
    const written = tailNumber.trim().toUpperCase();
    const [only, another] = alike.get(tailNumberKey(written)) ?? [];
    return exact.get(written) ?? (another ? undefined : only);
  };
}

/** Alike for all spellings of one tail number. */
export function tailNumberKey(tailNumber: string): string {
  return tailNumber.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '') || tailNumber;
}

/** With the registration that may be meant, where a letter stands for a figure. */
export function notInFleetText(tailNumber: string): string {
  const isMistyped = /^N[\dA-Z]{0,5}$/i.test(tailNumber) && /[IO]/i.test(tailNumber);
  const meant = tailNumber.replace(/I/gi, '1').replace(/O/gi, '0');
  const way = isMistyped ? `No US registration has an I or an O: write "${meant}", or import` : 'Import';
  return `${tailNumber} is not in the fleet. ${way} the fleet first.`;
}

/** 'Weber, Anna' is Anna Weber. */
function firstNameFirst(name: string): string {
  return name.replace(/^\s*([^,]+?)\s*,\s*([^,]+?)\s*$/, '$2 $1');
}

interface Person {
  id: number;
  role: Role;
}

/** Why a name stands for nobody, in words; else who it is. */
type NamedPerson = Person | string;

export interface PeopleLookup {
  find: (name: string) => NamedPerson;
  usernameOf: (id: number) => string;
}

/** Users by username, else by email, else by a shown name that only one has, its last part perhaps first; else who left. */
export async function findPeopleByName(db: Db | Trx, schoolId: number): Promise<PeopleLookup> {
  const everybody = await db
    .selectFrom('users')
    .select(['id', 'role', 'username', 'username_key', 'email', 'name', 'deleted_at'])
    .where('school_id', '=', schoolId)
    .execute();
  const users = everybody.filter(({ deleted_at }) => deleted_at === null);
  const former = everybody.filter(({ deleted_at }) => deleted_at !== null);
  const leftByName = groupBy(former, (user) => usernameKey(user.name ?? user.username_key));
  const leftByUsername = groupBy(former, (user) => user.username_key);
  const byUsername = new Map(users.map((user) => [user.username_key, user]));
  const byEmail = new Map(users.map((user) => [usernameKey(user.email), user]));
  const byName = groupBy(users, (user) => usernameKey(user.name ?? ''));
  const usernames = new Map(everybody.map(({ id, username }) => [id, username]));
  const find = (name: string): NamedPerson => {
    const key = usernameKey(name);
    const exact = byUsername.get(key) ?? byEmail.get(key);
    if (exact) return exact;
    const named = byName.get(key) ?? byName.get(usernameKey(firstNameFirst(name))) ?? [];
    if (named.length > 1) return `${named.length} users are called ${name}. Write the username instead.`;
    const leftByKey = leftByName.get(key) ?? leftByName.get(usernameKey(firstNameFirst(name)));
    const left = leftByKey ?? leftByUsername.get(key) ?? [];
    if (named.length > 0 && leftByKey)
      return `A user is called ${name}, and so was one who left. Write the username instead.`;
    if (named.length === 0 && left.length > 1) return `${left.length} former users were called ${name}.`;
    const [turned, more] = byName.get(key.replace(/^(\S+)\s+(.+)$/, '$2 $1')) ?? [];
    const way = turned && !more ? `${turned.name} is: write '${turned.username}' instead.` : 'Import the people first.';
    return named[0] ?? left[0] ?? `${name} is no user here. ${way}`;
  };
  return { find, usernameOf: (id) => usernames.get(id) ?? 'a former user' };
}
