import type { Db, Trx } from '#db/connect.server.ts';
import { formatYear } from '../format.server.ts';
import { sql } from 'kysely';

export type NamesakeMarks = ReadonlyMap<number, string>;

interface Namesake {
  id: number;
  usernameKey: string;
  createdAt: Date;
}

/** Returns 'since 2026' by the id of each user whose username somebody of the school had before. */
export async function findNamesakeMarks(
  db: Db | Trx,
  { schoolId, timeZone }: { schoolId: number | null; timeZone: string },
): Promise<Map<number, string>> {
  return namesakeMarksOf(await namesakesQuery(db, schoolId).execute(), timeZone);
}

export function namesakesQuery(db: Db | Trx, schoolId: number | null) {
  return db
    .selectFrom('users')
    .select(['id', 'username_key as usernameKey', 'created_at as createdAt'])
    .where('school_id', '=', schoolId)
    .where(hasNamesake('users', 'username_key', 'earlier'))
    .orderBy('id');
}

/** Makes the marks; two of one year are told apart by their ids. */
export function namesakeMarksOf(namesakes: readonly Namesake[], timeZone: string): Map<number, string> {
  const textOf = ({ createdAt }: Namesake) => `since ${formatYear(createdAt, timeZone)}`;
  const isAmbiguous = (one: Namesake) =>
    namesakes.some(
      (other) => other.id !== one.id && other.usernameKey === one.usernameKey && textOf(other) === textOf(one),
    );
  return new Map(namesakes.map((one) => [one.id, isAmbiguous(one) ? `${textOf(one)}, id ${one.id}` : textOf(one)]));
}

interface Person {
  id: number;
  username: string;
}

/** Returns 'anna (since 2026)'. */
export function markedName(marks: NamesakeMarks, { id, username }: Person): string {
  const mark = marks.get(id);
  return mark === undefined ? username : `${username} (${mark})`;
}

export function flightWithMarkedNames<Flight extends { user: Person; instructor: Person | null }>(
  flight: Flight,
  marks: NamesakeMarks,
): Flight {
  if (marks.size === 0) return flight;
  const { user, instructor } = flight;
  return {
    ...flight,
    user: { ...user, username: markedName(marks, user) },
    instructor: instructor && { ...instructor, username: markedName(marks, instructor) },
  };
}

const OPERATORS = { earlier: sql`<`, other: sql`<>` };

/** Tells whether a row of the school added earlier, or any other one, has or had the name. */
export function hasNamesake(table: 'users' | 'aircraft', name: string, which: keyof typeof OPERATORS) {
  const own = (column: string) => sql.ref(`${table}.${column}`);
  return sql<boolean>`exists (
    select from ${sql.table(table)} as namesake
    where namesake.school_id = ${own('school_id')}
    and ${sql.ref(`namesake.${name}`)} = ${own(name)}
    and namesake.id ${OPERATORS[which]} ${own('id')}
  )`;
}
