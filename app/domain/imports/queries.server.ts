import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Trx } from '#db/connect.server.ts';
import { LISTED_IMPORTS } from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { answersSchema } from './reading/answers.ts';
import { fromStoredPreview } from './import-preview.server.ts';
import { importTexts } from './import-texts.server.ts';
import { importOptionsSchema } from './options.server.ts';

const storedSchema = z.object({ answers: answersSchema, options: importOptionsSchema });

export type StoredImport = Awaited<ReturnType<typeof requireImport>>;

/** Without the file itself. Throws 'notFound' outside the school. */
export async function requireImport(db: Db | Trx, schoolId: number, id: number) {
  const row = await importsOf(db, schoolId)
    .select(['imports.answers', 'imports.options'])
    .where('imports.id', '=', id)
    .executeTakeFirst();
  if (!row) throw new AppError('notFound', importTexts.notFound);
  return { ...row, ...storedSchema.parse(row), preview: fromStoredPreview(row) };
}

const archivedSchema = storedSchema.extend({ preview: z.looseObject({}), outcome: z.looseObject({}) });

/** Throws a ZodError for values of an import that no page could show. */
export function assertShowableImport(values: Readonly<Record<string, unknown>>): void {
  fromStoredPreview(archivedSchema.parse({ answers: {}, options: {}, outcome: {}, ...values }));
}

/** As `requireImport`, and as `toFileImport`. */
export async function requireFileImport(db: Db | Trx, schoolId: number, id: number) {
  return toFileImport(await requireImport(db, schoolId, id));
}

/** Throws 'conflict' for everything of a school, which has no rows of one kind. */
export function toFileImport({ kind, ...stored }: StoredImport) {
  if (kind === 'all') throw new AppError('conflict', importTexts.noFile);
  return { ...stored, kind };
}

export type FileImport = ReturnType<typeof toFileImport>;

/** The newest first. */
export async function findImports(db: Db | Trx, schoolId: number) {
  const rows = await importsOf(db, schoolId).orderBy('imports.id', 'desc').limit(LISTED_IMPORTS).execute();
  return rows.map((row) => ({ ...row, preview: fromStoredPreview(row) }));
}

/** Null once it was imported. */
export async function findImportContent(db: Db | Trx, schoolId: number, id: number): Promise<Buffer | null> {
  const row = await db
    .selectFrom('imports')
    .select('content')
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.content ?? null;
}

/** Keeps what is said of the file as it is. */
export async function lockImport(trx: Trx, { schoolId, id }: { schoolId: number; id: number }): Promise<void> {
  const row = trx.selectFrom('imports').select('id').where('school_id', '=', schoolId).where('id', '=', id);
  await row.forNoKeyUpdate().execute();
}

export function updateImportQuery(db: Db | Trx, { schoolId, id }: { schoolId: number; id: number }) {
  return db.updateTable('imports').where('school_id', '=', schoolId).where('id', '=', id);
}

/** Where a flight was imported from; nothing for one that was checked out here. */
export function importOfFlightQuery(db: Db | Trx, { schoolId, id }: { schoolId: number | null; id: number }) {
  return db
    .selectFrom('import_rows')
    .innerJoin('imports', (join) =>
      join.onRef('imports.school_id', '=', 'import_rows.school_id').onRef('imports.id', '=', 'import_id'),
    )
    .select(['file_name as fileName', 'row_number as row', 'applied_at as appliedAt'])
    .where('import_rows.school_id', '=', schoolId)
    .where('flight_log_id', '=', id);
}

function importsOf(db: Db | Trx, schoolId: number) {
  return (
    db
      .selectFrom('imports')
      // An import that came with an exported school has none.
      .leftJoin('import_progress', (join) =>
        join
          .onRef('import_progress.school_id', '=', 'imports.school_id')
          .onRef('import_progress.import_id', '=', 'imports.id'),
      )
      .leftJoin('users', 'users.id', 'imports.user_id')
      .select(['imports.id', 'imports.kind', 'imports.file_name as fileName', 'imports.state', 'imports.requested'])
      .select([
        'imports.failure',
        'imports.preview',
        'imports.outcome',
        'imports.created_at as createdAt',
        'imports.applied_at as appliedAt',
      ])
      .select(['imports.undone_at as undoneAt', 'users.username'])
      // Nobody has said what the file holds, and its columns do not.
      .select(sql<boolean>`coalesce(imports.answers ->> 'kind' = '', false)`.as('isKindOpen'))
      .select(({ fn, val }) => [
        fn.coalesce('import_progress.done', val(0)).as('done'),
        fn.coalesce('import_progress.total', val(0)).as('total'),
      ])
      .where('imports.school_id', '=', schoolId)
  );
}
