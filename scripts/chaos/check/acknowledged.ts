import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Write } from '../work/ledger.ts';

export interface Verdicts {
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
