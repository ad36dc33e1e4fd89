import type { Db } from '#db/connect.server.ts';
import { type ClaimedMail, claimMail, markMailFailed, markMailRefused, markMailSent } from './queries.server.ts';

/** Sends a mail; returns its place if it was written to a file. Throws if it was not accepted. */
export type SendMail = (mail: ClaimedMail) => Promise<string | undefined>;

export interface MailDelivery {
  mailId: number;
  attempts: number;
  place?: string | undefined;
  error?: string;
  isRefused?: boolean;
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
    const isRefused = isRefusal(failure);
    await (isRefused ? markMailRefused : markMailFailed)(db, mail, error);
    return { mailId, attempts, error, isRefused };
  }
  await markMailSent(db, mail, place !== undefined);
  return { mailId, attempts, place };
}

/** Tells a 5xx about this recipient or mail from one about the sender, which ends when a setting is changed. */
function isRefusal(failure: unknown): boolean {
  const { command, permanent } = failure as { command?: string; permanent?: boolean };
  return permanent === true && (command === 'RCPT TO' || command === 'DATA');
}
