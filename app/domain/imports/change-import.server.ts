import type { Db, Trx } from '#db/connect.server.ts';
import { UPLOADED_IMPORT_KEPT_DAYS } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { ago } from '../database-clock.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { readImportTable } from './files/read-import-table.server.ts';
import { planImport, type ImportMapping, type School } from './import-file.server.ts';
import { toPreview } from './import-preview.server.ts';
import { importTexts } from './import-texts.server.ts';
import type { ImportOptions } from './options.server.ts';
import { findImportContent, requireImport } from './queries.server.ts';

/** The file of an import that waits. Throws 'notFound', 'conflict' once it was imported. */
export async function requireTable(db: Db, schoolId: number, id: number) {
  const { fileName, state } = await requireImport(db, schoolId, id);
  const content = await findImportContent(db, schoolId, id);
  if (state !== 'uploaded' || !content) throw new AppError('conflict', importTexts.notWaiting);
  return readImportTable(content, fileName, { schoolId });
}

/** Every reason why rows of a file that waits are refused. */
export async function findProblems(db: Db, school: School, id: number) {
  const { kind, columns, formats, options } = await requireImport(db, school.schoolId, id);
  const table = await requireTable(db, school.schoolId, id);
  const plan = await planImport(db, school, table, { kind, columns, formats }, options);
  return { table, problems: plan.problems };
}

type Choice = Pick<ImportMapping, 'columns' | 'formats'> & { options: ImportOptions };

/** Reads the file anew, with other columns, formats or options. Throws 'notFound', 'conflict' once it is imported. */
export async function changeImport(db: Db, member: Member, id: number, choice: Choice, key?: string): Promise<object> {
  const { schoolId } = member;
  const { kind } = await requireImport(db, schoolId, id);
  const table = await requireTable(db, schoolId, id);
  const plan = await planImport(db, member, table, { kind, ...choice }, choice.options);
  const preview = toPreview(table.rows.length, plan);
  const request = { key, operation: `change import ${id}`, input: choice };
  return runOperation(db, { actor: member, can: 'manage school', ...request }, async (trx) => {
    const { columns, formats, options } = choice;
    const values = { columns, formats, options, preview };
    const json = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));
    const changed = await waitingImport(trx, schoolId, id)
      .set({ ...json, failure: null })
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw new AppError('conflict', importTexts.notWaiting);
    return {};
  });
}

function waitingImport(trx: Trx, schoolId: number, id: number) {
  return trx
    .updateTable('imports')
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .where('state', '=', 'uploaded')
    .where('requested', 'is', null);
}

/** Removes a file that was not imported. Throws 'notFound', 'conflict'. */
export function removeImport(db: Db, member: Member, id: number, key?: string): Promise<object> {
  const request = { key, operation: `remove import ${id}`, input: null };
  return runOperation(db, { actor: member, can: 'manage school', ...request }, async (trx) => {
    await requireImport(trx, member.schoolId, id);
    const removed = await trx
      .deleteFrom('imports')
      .where('school_id', '=', member.schoolId)
      .where('id', '=', id)
      .where('state', '=', 'uploaded')
      .where('requested', 'is', null)
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n) throw new AppError('conflict', importTexts.notWaiting);
    return {};
  });
}

/** Files that were uploaded and never imported. */
export async function deleteOldImports(db: Db): Promise<void> {
  await db
    .deleteFrom('imports')
    .where('state', '=', 'uploaded')
    .where('requested', 'is', null)
    .where('created_at', '<', ago(UPLOADED_IMPORT_KEPT_DAYS, 'days'))
    .execute();
}
