import type { Db, Trx } from '#db/connect.server.ts';
import { MAX_UNAPPLIED_IMPORTS_OF_SCHOOL } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { fingerprint } from '../idempotency.server.ts';
import { importBringsAdministrators } from '../power.ts';
import { runOperation } from '../run-operation.server.ts';
import { planImport, readImport, type SchoolWithTimeZone, type ImportFile } from './import-file.server.ts';
import { assertAnswered } from './open-questions.ts';
import type { Answers } from './reading/answers.ts';
import type { FileReading } from './reading/read-file.server.ts';
import { type ImportPreview, toPreview, toStoredPreview, toUnplannedPreview } from './import-preview.server.ts';
import { importTexts, refusedImportText } from './import-texts.server.ts';
import { type ImportOptions, NO_OPTIONS } from './options.server.ts';
import type { ImportKind, StoredKind } from './records.ts';

export interface ImportingMember {
  member: Member;
}

export interface Choices {
  answers?: Answers;
  options?: ImportOptions;
}

/** What a file would do, stored nowhere. Throws as `readImport` does, and OpenQuestionsError. */
export async function previewImport(
  db: Db,
  school: SchoolWithTimeZone,
  file: ImportFile,
  kind: ImportKind | null,
  { answers = {}, options = NO_OPTIONS }: Choices = {},
): Promise<ImportPreview> {
  const reading = await readImport(file, kind, answers, { schoolId: school.schoolId });
  assertAnswered(reading);
  return previewOfReading(db, school, reading, options);
}

/** As `previewImport`; nothing but the number of rows while questions are open. */
export async function previewOfReading(
  db: Db,
  school: SchoolWithTimeZone,
  reading: FileReading,
  options: ImportOptions,
) {
  const rows = reading.part.rows.length;
  return reading.questions.length > 0
    ? toUnplannedPreview(rows)
    : toPreview(rows, await planImport(db, school, reading, options));
}

interface Upload extends Choices {
  key?: string | undefined;
  /** Throws OpenQuestionsError, and 'invalid' for refused rows, unless the options leave them out. */
  isWhole?: true;
}

/** Keeps a file with what it would do, to be imported later. Throws as `readImport` does, 'conflict' past twenty. */
export async function uploadImport(
  db: Db,
  { member }: ImportingMember,
  file: ImportFile,
  kind: ImportKind | null,
  { answers = {}, options = NO_OPTIONS, key, isWhole }: Upload = {},
): Promise<{ id: number }> {
  const reading = await readImport(file, kind, answers, { schoolId: member.schoolId });
  if (isWhole) assertAnswered(reading);
  const preview = await previewOfReading(db, member, reading, options);
  if (isWhole && preview.refused > 0 && !options.leaveOutRefused)
    throw new AppError('invalid', refusedImportText(preview));
  const hash = fingerprint(file.content);
  const isKindOpen = reading.questions.some(({ name }) => name === 'kind');
  const said: Answers = isKindOpen ? { ...answers, kind: '' } : answers;
  // To be imported at once; what only waits is asked about when it is imported.
  const givesPower = () => isWhole === true && importBringsAdministrators(reading.kind, options);
  const input = { hash, name: file.name, kind, answers, options };
  const request = { key, operation: 'upload import', input, givesPower };
  return runOperation(db, { actor: member, can: 'manage school', lockFirst: 'school', ...request }, (trx) =>
    insertImport(trx, member, { file, hash, kind: reading.kind, answers: said, preview, options }),
  );
}

interface NewImport {
  file: ImportFile;
  hash: string;
  kind: StoredKind;
  answers?: Answers;
  preview: ImportPreview;
  options?: ImportOptions;
  archive?: object;
}

/** Keeps a file that waits; whoever runs the server is nobody of the school. Throws 'conflict' past twenty. */
export async function insertImport(
  trx: Trx,
  { schoolId, id: user_id }: { schoolId: number; id: number | null },
  { file, hash, kind, answers = {}, preview, options = NO_OPTIONS, archive }: NewImport,
): Promise<{ id: number }> {
  await assertRoomForImport(trx, schoolId);
  const { id } = await trx
    .insertInto('imports')
    .values({
      school_id: schoolId,
      user_id,
      kind,
      file_name: file.name,
      file_hash: hash,
      content: file.content,
      answers: JSON.stringify(answers),
      options: JSON.stringify(options),
      ...toStoredPreview(preview),
      ...(archive && { archive: JSON.stringify(archive) }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx.insertInto('import_progress').values({ school_id: schoolId, import_id: id }).execute();
  return { id };
}

async function assertRoomForImport(trx: Trx, schoolId: number): Promise<void> {
  const waiting = await trx
    .selectFrom('imports')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('state', '=', 'uploaded')
    .limit(MAX_UNAPPLIED_IMPORTS_OF_SCHOOL)
    .execute();
  if (waiting.length === MAX_UNAPPLIED_IMPORTS_OF_SCHOOL) throw new AppError('conflict', importTexts.tooMany);
}
