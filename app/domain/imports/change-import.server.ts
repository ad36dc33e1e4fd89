import type { Db } from '#db/connect.server.ts';
import { UNAPPLIED_IMPORT_KEPT_DAYS } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { ago } from '../database-clock.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { planImport, readImport, type SchoolWithTimeZone } from './import-file.server.ts';
import { toStoredPreview } from './import-preview.server.ts';
import { importTexts } from './import-texts.server.ts';
import type { ImportOptions } from './options.server.ts';
import { assertAnswered } from './open-questions.ts';
import { findImportContent, requireFileImport, requireImport, updateImportQuery } from './queries.server.ts';
import type { ImportFileOwner } from './files/read-in-child-process.server.ts';
import type { Answers } from './reading/answers.ts';
import type { FileReading } from './reading/read-file.server.ts';
import type { ImportKind } from './records.ts';
import { previewOfReading } from './upload-import.server.ts';

/** Reads the file of an import that waits, with what is said of it or anew. Throws 'notFound', 'conflict' once it was imported. */
export async function requireReading(
  db: Db,
  { schoolId, ...reader }: ImportFileOwner,
  id: number,
  said?: Pick<Choice, 'kind' | 'answers'>,
): Promise<FileReading> {
  const { fileName, state, ...stored } = await requireFileImport(db, schoolId, id);
  const content = await findImportContent(db, schoolId, id);
  if (state !== 'uploaded' || !content) throw new AppError('conflict', importTexts.notWaiting);
  const { kind, answers } = said ?? stored;
  return readImport({ content, name: fileName }, kind, answers, { schoolId, ...reader });
}

/** Every reason why rows of a file that waits are refused. Throws OpenQuestionsError. */
export async function findProblems(db: Db, school: SchoolWithTimeZone, id: number) {
  const reading = await requireReading(db, { schoolId: school.schoolId }, id);
  assertAnswered(reading);
  const { options } = await requireImport(db, school.schoolId, id);
  return { part: reading.part, problems: (await planImport(db, school, reading, options)).problems };
}

interface Choice {
  kind: ImportKind;
  answers: Answers;
  options: ImportOptions;
}

/**
 * Reads the file anew, with another kind, other answers or options. `asked` is what a form said of it, which a second press says
 * again when the stored answers are others. Throws 'notFound', 'conflict' once it is imported.
 */
export async function changeImport(
  db: Db,
  member: Member,
  id: number,
  choice: Choice,
  key?: string,
  asked: object = choice,
): Promise<object> {
  const { schoolId } = member;
  const { kind, answers, options } = choice;
  const preview = await previewOfReading(db, member, await requireReading(db, { schoolId }, id, choice), options);
  const request = { key, operation: `change import ${id}`, input: asked };
  return runOperation(db, { actor: member, can: 'manage school', ...request }, async (trx) => {
    const json = {
      answers: JSON.stringify(answers),
      options: JSON.stringify(options),
      ...toStoredPreview(preview),
    };
    const changed = await updateImportQuery(trx, { schoolId, id })
      .set({ ...json, kind, failure: null })
      .where('state', '=', 'uploaded')
      .where('requested', 'is', null)
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw new AppError('conflict', importTexts.notWaiting);
    return {};
  });
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
    .where('created_at', '<', ago(UNAPPLIED_IMPORT_KEPT_DAYS, 'days'))
    .execute();
}
