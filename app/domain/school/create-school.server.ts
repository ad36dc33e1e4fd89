import type { Db } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { toAppError } from '../constraint-errors.server.ts';
import { hashPassword } from '../people/passwords.server.ts';
import { assertHardToGuess } from '../people/password-rules.server.ts';
import { usernameKey } from '../people/username.ts';
import { FOUNDING_ROLE } from '../roles.ts';
import { type CreateSchoolInput, serverTimeZone } from './schema.server.ts';

/** Creates a school with its first administrator, or without a name only the latter. Throws 'conflict'. */
export async function createSchool(
  db: Db,
  { name, username, email, password }: CreateSchoolInput,
): Promise<{ schoolId: number | null; userId: number }> {
  await assertHardToGuess(password, { username, email, school: name });
  const passwordHash = await hashPassword(password);
  return inTransaction(db, async (trx) => {
    const school =
      name === undefined
        ? undefined
        : await trx
            .insertInto('schools')
            .values({ name, time_zone: serverTimeZone() })
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
        role: FOUNDING_ROLE,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await writeAuditEntry(
      trx,
      { id: userId, schoolId },
      {
        action: 'founded on the command line',
        subject: school ? 'school' : 'user',
        subjectId: schoolId ?? userId,
        after: { name, username, email },
      },
    );
    return { schoolId, userId };
  }).catch((error: unknown) => {
    throw toAppError(error);
  });
}
