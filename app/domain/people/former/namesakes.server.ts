import type { Db, Trx } from '#db/connect.server.ts';
import { formatYear } from '../../format.server.ts';

interface Namesake {
  id: number;
  usernameKey: string;
  createdAt: Date;
}

/** 'since 2026' by the id of each user whose username somebody of the school had before. */
export async function findNamesakeMarks(
  db: Db | Trx,
  { schoolId, timeZone }: { schoolId: number | null; timeZone: string },
): Promise<Map<number, string>> {
  const namesakes = await db
    .selectFrom('users')
    .select(['id', 'username_key as usernameKey', 'created_at as createdAt'])
    .where('school_id', '=', schoolId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('users as earlier')
          .select('earlier.id')
          .whereRef('earlier.school_id', '=', 'users.school_id')
          .whereRef('earlier.username_key', '=', 'users.username_key')
          .whereRef('earlier.id', '<', 'users.id'),
      ),
    )
    .orderBy('id')
    .execute();
  return markNamesakes(namesakes, timeZone);
}

/** Two of one year are told apart by their ids. */
export function markNamesakes(namesakes: readonly Namesake[], timeZone: string): Map<number, string> {
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

/** 'anna (since 2026)' */
export function markedName(marks: ReadonlyMap<number, string>, { id, username }: Person): string {
  const mark = marks.get(id);
  return mark === undefined ? username : `${username} (${mark})`;
}

/** A flight whose pilot and instructor are told apart from their namesakes. */
export function withMarkedNames<Flight extends { user: Person; instructor: Person | null }>(
  flight: Flight,
  marks: ReadonlyMap<number, string>,
): Flight {
  const { user, instructor } = flight;
  return {
    ...flight,
    user: { ...user, username: markedName(marks, user) },
    instructor: instructor && { ...instructor, username: markedName(marks, instructor) },
  };
}
