import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { IDLE_IN_TRANSACTION_MS } from '#db/deadlines.ts';
import { findFaults } from '#db/doctor/find-faults.ts';
import type { Write } from '../work/ledger.ts';

/** Rows that a fault must not leave, beside what the doctor finds: each query counts those that break a rule. */
const VIOLATIONS: Record<string, RawBuilder<{ found: number }>> = {
  'an aircraft added without exactly one entry in the activity': sql`
    select count(*)::integer as found from (
      select from audit_entries where action = 'added aircraft' group by subject_id having count(*) <> 1) twice`,
  'an invitation without exactly one entry in the activity': sql`
    select count(*)::integer as found from invitations where (
      select count(*) from audit_entries where action = 'sent invitation' and subject_id = invitations.id) <> 1
      and exists (select from audit_entries where action = 'sent invitation' and school_id = invitations.school_id)`,
  'a pending invitation without its mail': sql`
    select count(*)::integer as found from invitations where accepted_at is null and mail_id is null`,
  'two fuel records where one was entered': sql`
    select count(*)::integer as found from (
      select from fuel_records group by flight_log_id having count(*) > 1) two`,
};

/** Postgres itself ends these sessions once they were idle for `IDLE_IN_TRANSACTION_MS`. */
const LEFT_IN_TRANSACTION = sql<{ found: number }>`
  select count(*)::integer as found from pg_stat_activity
  where datname = current_database() and state like 'idle in transaction%' and state_change < now() - interval '3 s'`;
const LEFT_LIMIT_MS = 3 * IDLE_IN_TRANSACTION_MS;

/** Returns a sentence for each rule that is broken. */
export async function checkInvariants(db: Db): Promise<string[]> {
  const broken = (await findFaults(db)).map(({ rows, fault, named }) => `${rows} × ${fault}: ${named[0]}`);
  for (const [rule, query] of Object.entries(VIOLATIONS)) {
    const found = (await query.execute(db)).rows[0]?.found ?? 0;
    if (found > 0) broken.push(`${found} × ${rule}`);
  }
  if (await isLeftInTransaction(db)) broken.push('a connection left in a transaction');
  return broken;
}

async function isLeftInTransaction(db: Db): Promise<boolean> {
  const start = performance.now();
  while ((await LEFT_IN_TRANSACTION.execute(db)).rows[0]?.found !== 0) {
    if (performance.now() - start > LEFT_LIMIT_MS) return true;
    await sleep(200);
  }
  return false;
}

interface Verdicts {
  lost: Write[];
  doubled: Write[];
  /** Writes that were done, though their maker was refused. */
  toldNo: Write[];
}

/** Compares what the clients were told with what the database holds. */
export async function checkAcknowledged(db: Db, schoolId: number, writes: readonly Write[]): Promise<Verdicts> {
  const counts = await countEffects(db, schoolId);
  const times = ({ marker }: Write) => counts.get(marker) ?? 0;
  return {
    lost: writes.filter((write) => write.verdict === 'acknowledged' && times(write) === 0),
    doubled: writes.filter((write) => times(write) > 1),
    toldNo: writes.filter((write) => write.verdict === 'refused' && times(write) > 0),
  };
}

/** Counts how often each change was made, by its marker. */
async function countEffects(db: Db, schoolId: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ marker: string; times: number }>`
    with flights as (select * from flight_logs where school_id = ${schoolId}),
      entries as (select * from audit_entries where school_id = ${schoolId} and outcome = 'done'),
      effects (marker) as (
        select concat('check-out ', user_id, ' ', start_hobbs) from flights
        union all select notes from flights where notes <> ''
        union all select void_reason from flights where void_reason is not null
        union all select close_reason from flights where close_reason is not null
        union all select 'aircraft ' || tail_number from aircraft where school_id = ${schoolId}
        union all select 'user ' || username from users where school_id = ${schoolId}
        union all select 'invitation ' || email from invitations where school_id = ${schoolId}
        union all select concat('maintenance ', subject_id) from entries where action = 'set to maintenance'
        union all select 'school ' || (after ->> 'name') from entries where action = 'saved school settings')
    select marker, count(*)::integer as times from effects group by marker`.execute(db);
  return new Map(rows.map(({ marker, times }) => [marker, times]));
}
