import type { Db } from '#db/connect.server.ts';
import { MAX_MAIL_ERROR_CHARACTERS, MAX_MAIL_RETRY_SECONDS } from '#app/limits.ts';
import { now } from '../database-clock.server.ts';
import type { Ending, JobWork } from '../jobs/job.ts';
import { findWaitingMail, recordMailOutcome, type WaitingMail } from './queries.server.ts';

/** Returns where the mail was written, if to a file. Throws if it was not accepted. */
export type SendMail = (mail: WaitingMail) => Promise<string | undefined>;

/** Sends a mail, and tries again until its end unless the mail server refuses it for good. */
export function mailJob(db: Db, send: SendMail): JobWork {
  return {
    ...{ kind: 'mail', atOnce: 1, longestRetrySeconds: MAX_MAIL_RETRY_SECONDS },
    async run({ subjectId, attempts, claimedAt }) {
      const mail = await findWaitingMail(db, subjectId);
      if (!mail || mail.send_until <= claimedAt) return { outcome: 'done' };
      const tried = { ...mail, attempts };
      return send(mail).then(
        (place) => left(tried, place),
        (failure: unknown) => notLeft(tried, failure),
      );
    },
  };
}

function left(mail: WaitingMail, place: string | undefined): Ending {
  const fate = { sent_at: now, written_to_file: place !== undefined, last_error: null };
  return {
    outcome: 'done',
    record: (trx) => recordMailOutcome(trx, mail, fate),
    ...(place !== undefined && { says: 'a mail was written to a file: SMTP_URL is not set', details: { place } }),
  };
}

function notLeft(mail: WaitingMail, failure: unknown): Ending {
  const error = failure instanceof Error ? failure.message : String(failure);
  const fate = { last_error: error.slice(0, MAX_MAIL_ERROR_CHARACTERS) };
  const details = { error };
  if (!isRefusal(failure)) {
    const says = 'a mail did not leave; it will be tried again';
    const record: Ending['record'] = (trx) => recordMailOutcome(trx, mail, fate);
    return { outcome: 'failed', record, notAfter: mail.send_until, says, details };
  }
  const says = 'the mail server refused a mail; it will not be tried again';
  return {
    outcome: 'given up',
    record: (trx) => recordMailOutcome(trx, mail, { ...fate, refused_at: now }),
    says,
    details,
  };
}

/** A 5xx about this recipient or this mail; one about the sender or the sign-in ends when a setting is changed. */
function isRefusal(failure: unknown): boolean {
  const { command, permanent } = failure as { command?: string; permanent?: boolean };
  return permanent === true && (command === 'RCPT TO' || command === 'DATA');
}
