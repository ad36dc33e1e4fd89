import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { ALERT_MAIL_LIFE_MS, SEAL_HEADS_MAIL_INTERVAL_DAYS } from '#app/limits.ts';
import { ago } from '../database-clock.server.ts';
import { activityProofEmail } from '../mail/email-templates.server.ts';
import { mailAdministrators } from '../mail/queries.server.ts';
import { lockSchoolIfFreeQuery } from '../school/queries.server.ts';
import { findHead } from './seal-entries.server.ts';
import { writeAuditEntry } from './write-audit-entry.server.ts';

/** Mails the administrators of each school, once a week in which anything happened, the end of its chain. */
export async function mailHeads(db: Db): Promise<void> {
  for (const schoolId of await findDueSchools(db)) {
    await inTransaction(db, async (trx) => {
      const isMine = await lockSchoolIfFreeQuery(trx, schoolId).executeTakeFirst();
      if (isMine && (await findDueSchools(trx, schoolId)).length > 0) await mailHead(trx, schoolId);
    });
  }
}

async function mailHead(trx: Trx, schoolId: number): Promise<void> {
  const { position, hash } = await findHead(trx, schoolId);
  const proof = `${schoolId}:${position}:${hash}`;
  await mailAdministrators(trx, schoolId, ALERT_MAIL_LIFE_MS, (recipient) =>
    activityProofEmail({ ...recipient, proof }),
  );
  const about = { action: 'mailed proof of activity', subject: 'activity' } as const;
  await writeAuditEntry(trx, { id: null, schoolId }, { ...about, after: { position, hash } });
}

async function findDueSchools(db: Db | Trx, only?: number): Promise<number[]> {
  const weekAgo = ago(SEAL_HEADS_MAIL_INTERVAL_DAYS, 'days');
  const proof = sql`action = 'mailed proof of activity'`;
  const { rows } = await sql<{ id: number }>`
    select id from schools where removal_due_at is null and (${only ?? null}::integer is null or id = ${only ?? null})
      and exists (select from audit_seals where chain = schools.id)
      and exists (select from audit_entries where school_id = schools.id and created_at < ${weekAgo})
      and exists (select from audit_entries where school_id = schools.id and created_at > ${weekAgo} and not ${proof})
      and not exists (select from audit_entries where school_id = schools.id and created_at > ${weekAgo} and ${proof})
      order by id`.execute(db);
  return rows.map(({ id }) => id);
}
