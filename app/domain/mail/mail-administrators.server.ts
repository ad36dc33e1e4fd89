import type { Trx } from '#db/connect.server.ts';
import { findAdministrators } from '../people/queries.server.ts';
import { findSchoolName } from '../school/queries.server.ts';
import type { EmailContent } from './email.server.ts';
import { queueMail } from './queries.server.ts';

/** Queues a mail to every administrator of the school, but one if it says so, in the transaction of what it is about. */
export async function mailAdministrators(
  trx: Trx,
  schoolId: number,
  lifeMs: number,
  toLetter: (recipient: { name: string; school: string }) => EmailContent,
  exceptId?: number,
): Promise<void> {
  const school = await findSchoolName(trx, schoolId);
  for (const { id, username: name, email } of await findAdministrators(trx, schoolId)) {
    if (id === exceptId) continue;
    const sendUntil = new Date(Date.now() + lifeMs);
    await queueMail(trx, schoolId, { name, address: email }, toLetter({ name, school }), sendUntil);
  }
}
