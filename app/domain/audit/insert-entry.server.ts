import { createHash, randomUUID } from 'node:crypto';
import type { Trx } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import type { Action } from './actions.ts';
import { eventOrigin } from './event-origin.server.ts';

export interface AuditEntry {
  action: Action;
  subject:
    | 'aircraft'
    | 'flight log'
    | 'squawk'
    | 'inspection'
    | 'user'
    | 'invitation'
    | 'school'
    | 'export'
    | 'import'
    | 'request'
    | 'activity'
    | 'webhook';
  subjectId?: number | null | undefined;
  /** Values before; at most one of both has an `email`. */
  before?: object | undefined;
  after?: object | undefined;
  reason?: string | undefined;
  outcome?: 'done' | 'refused';
  times?: number;
  /** A user's address until now, which is told that it was changed and is not kept here. */
  formerEmail?: string | undefined;
}

export type Doer = Pick<Actor, 'schoolId' | 'usesPower'> & { id: number | null };

export async function insertEntry(trx: Trx, actor: Doer, entry: AuditEntry): Promise<void> {
  const [before, after] = [withoutEmail(entry.before), withoutEmail(entry.after)];
  const email = after.email ?? before.email;
  const salt = randomUUID();
  const { id } = await trx
    .insertInto('audit_entries')
    .values({
      school_id: actor.schoolId,
      user_id: actor.id,
      action: entry.action,
      subject: entry.subject,
      subject_id: entry.subjectId ?? null,
      before: before.json,
      after: after.json,
      reason: entry.reason ?? null,
      outcome: entry.outcome ?? 'done',
      times: entry.times ?? 1,
      address: eventOrigin()?.address ?? null,
      request_id: eventOrigin()?.requestId ?? null,
      email_digest: email === undefined ? null : hashEmail(salt, email),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (email !== undefined) await trx.insertInto('audit_emails').values({ entry_id: id, email, salt }).execute();
}

/** Hashes an email; the hash stays once the email is removed. */
export function hashEmail(salt: string, email: string): string {
  return createHash('sha256')
    .update(salt + email)
    .digest('hex');
}

function withoutEmail(value: object | undefined): { json: string | undefined; email: string | undefined } {
  if (!value) return { json: undefined, email: undefined };
  const { email, ...rest }: { email?: unknown } = { ...value };
  return { json: JSON.stringify(rest), email: typeof email === 'string' ? email : undefined };
}
