import type { Db } from '#db/connect.server.ts';
import { type ClaimedMail, claimMail, markMailFailed, markMailSent } from './queries.server.ts';

/** Hands a mail to the mail server, or throws; where it went, if a person may want to know. */
export type Send = (mail: ClaimedMail) => Promise<string | undefined>;

/** What became of one mail. */
export interface Delivery {
  mailId: number;
  attempts: number;
  /** Where it was written to, where there is no mail server. */
  place?: string | undefined;
  /** Why it did not leave; it will be tried again. */
  error?: string;
}

/** Sends the mail that is due, outside of any transaction; undefined when none is. Throws when the database fails. */
export async function deliverNext(db: Db, send: Send): Promise<Delivery | undefined> {
  const mail = await claimMail(db);
  if (!mail) return undefined;
  const { id: mailId, attempts } = mail;
  let place: string | undefined;
  try {
    place = await send(mail);
  } catch (failure) {
    const error = failure instanceof Error ? failure.message : String(failure);
    await markMailFailed(db, mail, error);
    return { mailId, attempts, error };
  }
  await markMailSent(db, mail);
  return { mailId, attempts, place };
}
