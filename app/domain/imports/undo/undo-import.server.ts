import type { Trx } from '#db/connect.server.ts';
import { AppError } from '../../app-error.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { now } from '../../database-clock.server.ts';
import { importTexts } from '../import-texts.server.ts';
import { requireFileImport, updateImport } from '../queries.server.ts';
import { findDependents } from './find-dependents.server.ts';
import { removeRecords, type Undone } from './remove-records.server.ts';

/** Takes an import back as if it had not been. Throws 'conflict' once something was built on it. */
export async function undoImport(trx: Trx, { id, schoolId, owner }: Undone): Promise<void> {
  const { kind, fileName, preview } = await requireFileImport(trx, schoolId, id);
  const builtOn = await findDependents(trx, schoolId, id, kind);
  if (builtOn !== undefined) throw new AppError('conflict', builtOn);
  // Before its records go: the history of a squawk may go only then.
  await updateImport(trx, { schoolId, id })
    .set({ state: 'undone', undone_at: now, requested: null, requested_at: null })
    .execute();
  await removeRecords(trx, { id, schoolId, owner }, kind).catch((error: unknown) => {
    throw isReferenced(error) ? new AppError('conflict', importTexts.builtOn) : error;
  });
  await trx.deleteFrom('import_rows').where('school_id', '=', schoolId).where('import_id', '=', id).execute();
  const { added, changed } = preview;
  await writeAuditEntry(
    trx,
    { id: owner, schoolId },
    { action: 'undid import', subject: 'import', subjectId: id, after: { kind, file: fileName, added, changed } },
  );
}

const FOREIGN_KEY_VIOLATION = '23503';

function isReferenced(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION;
}
