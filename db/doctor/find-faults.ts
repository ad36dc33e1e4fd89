import { sql } from 'kysely';
import type { Db } from '../connect.server.ts';
import { INVARIANTS, type Invariant } from './invariants.ts';

/** Enough to know what has happened; the number says how many there are. */
const NAMED_ROWS = 5;

export interface Fault extends Pick<Invariant, 'fault' | 'mend'> {
  view: string;
  rows: number;
  /** The first of them, each in a phrase. */
  named: string[];
}

interface FoundRow {
  school_id: number | null;
  subject: string;
  detail: string;
  total: string;
}

/** What the doctor's views hold, in the order of the invariants; nothing in a sound database. */
export async function findFaults(db: Db, { isRunning = true }: { isRunning?: boolean } = {}): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const [name, { fault, mend, needsRunningProduct }] of Object.entries(INVARIANTS)) {
    if (needsRunningProduct && !isRunning) continue;
    const view = `doctor_${name}`;
    const { rows } = await sql<FoundRow>`
      select *, count(*) over () as total from ${sql.table(view)}
      where school_id is null or school_id not in (select school_id from removed_schools where ended_at is null) limit ${NAMED_ROWS}`.execute(
      db,
    );
    const total = Number(rows[0]?.total ?? 0);
    if (total > 0) faults.push({ view, fault, mend, rows: total, named: rows.map(phraseOf) });
  }
  return faults;
}

/** Names of the views that this database has, for comparison with the invariants. */
export async function findDoctorViews(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select viewname as name from pg_views where schemaname = current_schema() and viewname like 'doctor\\_%'
    order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

function phraseOf({ school_id, subject, detail }: FoundRow): string {
  return `${subject}${school_id === null ? '' : ` of school ${school_id}`}: ${detail}`;
}
