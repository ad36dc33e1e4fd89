import { z } from 'zod';
import type { Db } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { record } from '../audit/write-audit-entry.server.ts';
import { explained } from '../constraint-errors.server.ts';
import { address, named, password, username } from '../people/schema.server.ts';
import { hashPassword } from '../people/passwords.server.ts';
import { usernameKey } from '../people/username.ts';
import { ownTimeZone } from './server-time-zone.server.ts';

/** A school's name and its first administrator; without a name the administrator names it later (C25). */
export const foundingFields = z.object({
  name: named('School name is required', 200).optional(),
  username,
  email: address('Must be a valid email'),
  password,
});

/**
 * Makes a school and its first administrator, or an administrator without one. Throws 'conflict' when the username
 * is taken. Reached from the command line only: nobody signs up (C25).
 */
export async function foundSchool(
  db: Db,
  { name, username, email, password }: z.infer<typeof foundingFields>,
): Promise<{ schoolId: number | null; userId: number }> {
  const passwordHash = await hashPassword(password);
  return inTransaction(db, async (trx) => {
    const school =
      name === undefined
        ? undefined
        : await trx
            .insertInto('schools')
            .values({ name, time_zone: ownTimeZone() })
            .returning('id')
            .executeTakeFirstOrThrow();
    const schoolId = school?.id ?? null;
    const { id: userId } = await trx
      .insertInto('users')
      .values({
        school_id: schoolId,
        username,
        username_key: usernameKey(username),
        email,
        password_hash: passwordHash,
        role: 'administrator',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await record(trx, { id: userId, schoolId }, {
      action: 'founded on the command line',
      subject: school ? 'school' : 'user',
      subjectId: schoolId ?? userId,
      after: { name, username, email },
    });
    return { schoolId, userId };
  }).catch((error: unknown) => {
    throw explained(error);
  });
}
