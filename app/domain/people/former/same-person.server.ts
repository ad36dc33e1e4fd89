import type { Db } from '#db/connect.server.ts';
import type { Member } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { formatDate } from '../../format.server.ts';
import { findFormerUser, type KnownBy } from './former-users.server.ts';

/** Throws 'invalid' at the tick until the form has asked whether a former user comes back. */
export async function assertSamePersonAnswered(
  db: Db,
  { schoolId, timeZone }: Member,
  knownBy: KnownBy,
  askedAbout: string | undefined,
): Promise<void> {
  if (askedAbout !== undefined && askedAbout.toLowerCase() === knownBy.email.toLowerCase()) return;
  const former = await findFormerUser(db, schoolId, knownBy);
  if (!former) return;
  const left = formatDate(former.leftAt, timeZone).text;
  const text = `${former.username} was here until ${left}. Please say whether this is the same person, and send the form again.`;
  throw new AppError('invalid', text).onField('samePerson');
}
