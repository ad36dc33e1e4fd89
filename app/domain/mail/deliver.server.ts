import type { Db } from '#db/connect.server.ts';
import { type ClaimedMail, claimMail, markMailFailed, markMailSent } from './queries.server.ts';

/** Returns where the mail was written, if to a file. Throws if it was not accepted. */
export type SendMail = (mail: ClaimedMail) => Promise<string | undefined>;

export interface MailDelivery {
  mailId: number;
  attempts: number;
  /** The file, where there is no mail server. */
  place?: string | undefined;
  error?: string;
}

/** Sends the next due mail outside of any transaction; undefined if none is due. */
export async function deliverNextMail(db: Db, send: SendMail): Promise<MailDelivery | undefined> {
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
