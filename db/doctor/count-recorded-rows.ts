import { sql } from 'kysely';
import type { Trx } from '../connect.server.ts';
import { tuneTransactionForFullScan } from './find-faults.ts';
import { comparedRowsSql, RECORDED_KINDS } from './rules/record.ts';

interface RecordedRows {
  kind: string;
  schoolId: number;
  /** Rows that have an event. */
  recorded: number;
  differing: number;
}

/** Counts the rows of each school and kind that were held against the activity, and those that differ. */
export async function countRecordedRows(trx: Trx): Promise<RecordedRows[]> {
  await tuneTransactionForFullScan(trx);
  const counts: RecordedRows[] = [];
  for (const kind of RECORDED_KINDS) {
    const { rows } = await sql<RecordedRows>`
      select ${kind} as kind, school_id as "schoolId", count(says) filter (where event_id is not null)::integer as recorded,
        count(*) filter (where differs)::integer as differing
      from (${sql.raw(comparedRowsSql(kind))}) as compared where school_id is not null group by school_id`.execute(trx);
    counts.push(...rows);
  }
  return counts;
}
