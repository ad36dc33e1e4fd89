import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { usernameKey } from './username.ts';

interface Wanted {
  /** The user who gets them; absent for a new one. */
  id?: number;
  schoolId: number;
  username?: string | undefined;
  email?: string | undefined;
}

/** Says of a taken username or email that the other is taken, too: the database refuses the first. Throws always. */
export async function rethrowWithAllTakenNames(db: Db, wanted: Wanted, error: unknown): Promise<never> {
  if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
  const isAboutOne = ['username', 'email'].some((field) => field in error.fields);
  const taken = isAboutOne ? await findTaken(db, wanted) : {};
  const fields = { ...taken, ...error.fields };
  if (Object.keys(fields).length < 2) throw error;
  throw new AppError('conflict', Object.values(fields).join('\n'), fields);
}

async function findTaken(db: Db, { id = 0, schoolId, username = '', email = '' }: Wanted) {
  const hasUsername = sql<boolean>`username_key = ${usernameKey(username)}`;
  const hasEmail = sql<boolean>`(school_id = ${schoolId} and lower(email) = lower(${email}))`;
  const others = await db
    .selectFrom('users')
    .select([hasUsername.as('hasUsername'), hasEmail.as('hasEmail')])
    .where('deleted_at', 'is', null)
    .where('id', '!=', id)
    .where(({ or }) => or([hasUsername, hasEmail]))
    .execute();
  return {
    ...(others.some((other) => other.hasUsername) && { username: texts.usernameTaken }),
    ...(others.some((other) => other.hasEmail) && { email: texts.emailTaken }),
  };
}
