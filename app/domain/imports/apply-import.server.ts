import type { Db, Trx } from '#db/connect.server.ts';
import { lockFleet } from '../aircraft/queries.server.ts';
import { AppError } from '../app-error.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { toAppError } from '../constraint-errors.server.ts';
import { now } from '../database-clock.server.ts';
import { planRows } from './import-file.server.ts';
import { countsOf, type ImportPreview, toPreview, toStoredPreview } from './import-preview.server.ts';
import { importTexts, problemText, refusedRowsText } from './import-texts.server.ts';
import { IMPORTERS } from './kinds/importers.server.ts';
import { requireFileImport, updateImportQuery } from './queries.server.ts';
import type { ImportKind, ParsedFile } from './records.ts';
import { countLinksMailedNow } from './write/invite-people.server.ts';
import type { WriteContext } from './write/write-records.server.ts';

interface Applied extends Pick<WriteContext, 'schoolId' | 'owner' | 'doneBy' | 'passwordHash'> {
  id: number;
  file: ParsedFile;
  progress: Db;
  locksFleet: boolean;
}

/**
 * Writes all rows of a file, held against the school as it is now. Throws 'conflict' for rows that are refused, a
 * PlanOutdatedError where something changed meanwhile and nothing was locked.
 */
export async function applyImport(trx: Trx, { file, ...applied }: Applied): Promise<void> {
  const { id, schoolId, doneBy, progress, locksFleet } = applied;
  const { kind, options, fileName } = await requireFileImport(trx, schoolId, id);
  const onProgress = progressWriterOf(progress, { id, schoolId, total: file.rowCount });
  await onProgress(0);
  if (locksFleet) await lockFleet(trx, schoolId);
  const context = { ...applied, trx, timeZone: file.timeZone, importId: id, options, onProgress };
  const preview = await writeAll(context, file).catch((error: unknown) => {
    throw toAppError(error);
  });
  await updateImportQuery(trx, { schoolId, id })
    .set({ state: 'applied', applied_at: now, requested: null, requested_at: null, content: null })
    .set(toStoredPreview({ ...preview, ...NO_ROWS }))
    .execute();
  const mailed = options.sendInvitations ? { mailed: await countLinksMailedNow(trx, schoolId) } : {};
  await writeAuditEntry(
    trx,
    { id: doneBy, schoolId },
    {
      action: 'imported file',
      subject: 'import',
      subjectId: id,
      after: { kind, file: fileName, ...countsOf(preview), ...mailed },
    },
  );
}

const NO_ROWS = { problems: [], causes: [], differences: [], there: [], remarks: [], changes: [], skipped: [] };

async function writeAll<Kind extends ImportKind>(
  context: WriteContext,
  file: ParsedFile<Kind>,
): Promise<ImportPreview> {
  const { options } = context;
  const plan = await planRows(context.trx, context.schoolId, file, options);
  const [first] = plan.problems;
  const preview = toPreview(file.rowCount, plan);
  if (first && !options.leaveOutRefused)
    throw new AppError('conflict', `Nothing was imported: ${refusedRowsText(preview)}. ${problemText(first)}`);
  if (first && preview.added + preview.changed === 0) throw new AppError('conflict', importTexts.nothingToImport);
  await IMPORTERS[file.kind].write(context, plan);
  return preview;
}

/** Tells outside of the transaction how many rows are written. */
export function progressWriterOf(db: Db, { id, schoolId, total }: { id: number; schoolId: number; total: number }) {
  let done = 0;
  return async (rows: number) => {
    done += rows;
    await db
      .updateTable('import_progress')
      .set({ done, total })
      .where('school_id', '=', schoolId)
      .where('import_id', '=', id)
      .execute();
  };
}
