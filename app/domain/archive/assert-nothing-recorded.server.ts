import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import { AppError } from '../app-error.ts';
import { archiveTexts } from './schema.server.ts';

const RECORDED = {
  users: 'other people',
  aircraft: 'aircraft',
  photos: 'photos',
  flight_logs: 'flights',
  squawks: 'squawks',
  inspections: 'inspections',
  invitations: 'invitations',
} as const;

/** Throws 'conflict' for a school that has anything yet but its one administrator, or has moved in before. */
export async function assertNothingRecorded(trx: Trx, schoolId: number): Promise<void> {
  const found: string[] = [];
  for (const [table, name] of Object.entries(RECORDED)) {
    const rows = await sql`
      select from ${sql.table(table)} where school_id = ${schoolId} limit 2`.execute(trx);
    if (rows.rows.length > (table === 'users' ? 1 : 0)) found.push(name);
  }
  const moved = trx.selectFrom('audit_entries').select('id').where('school_id', '=', schoolId);
  if (await moved.where('action', '=', 'imported school').limit(1).executeTakeFirst())
    found.push('events of another file');
  if (found.length === 0) return;
  throw new AppError('conflict', archiveTexts.notEmpty(new Intl.ListFormat('en').format(found)));
}
