import { sql } from 'kysely';
import type { Trx } from '../connect.server.ts';
import { comparedRows, RECORDED_TABLES } from './rules/record.ts';

interface RecordedRows {
  table: string;
  schoolId: number;
  /** Rows that have an event. */
  recorded: number;
  differing: number;
}

/** Counts the rows of each school and table that were held against the activity, and those that differ. */
export async function countRecordedRows(trx: Trx): Promise<RecordedRows[]> {
  await sql`set local work_mem = '64MB'`.execute(trx);
  const counts: RecordedRows[] = [];
  for (const table of RECORDED_TABLES) {
    const { rows } = await sql<RecordedRows>`
      select ${table} as "table", school_id as "schoolId", count(says) filter (where event_id is not null)::integer as recorded,
        count(*) filter (where differs)::integer as differing
      from (${sql.raw(comparedRows(table))}) as compared where school_id is not null group by school_id`.execute(trx);
    counts.push(...rows);
  }
  return counts;
}
