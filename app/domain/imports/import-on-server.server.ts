import type { Db } from '#db/connect.server.ts';
import { AppError } from '../app-error.ts';
import type { ImportFile } from './import-file.server.ts';
import type { ImportPreview } from './import-preview.server.ts';
import { importTexts } from './import-texts.server.ts';
import type { ImportOptions } from './options.server.ts';
import { claimJobOf, dropJob } from '../jobs/queries.server.ts';
import { requireImport } from './queries.server.ts';
import type { Answers } from './reading/answers.ts';
import type { ImportKind } from './records.ts';
import { requestApply } from './request-import.server.ts';
import { runImport } from './run-import.server.ts';
import { importKindSchema } from './schema.server.ts';
import { previewImport, uploadImport } from './upload-import.server.ts';

// Whoever runs the server chooses these. The import is recorded as done by nobody of the school.

interface Choices {
  answers: Answers;
  options: ImportOptions;
}

interface NamedSchool {
  schoolId: number;
  name: string;
  timeZone: string;
}

/**
 * Says what a file would do to the school of this name, or to the only one. Throws 'notFound' and as `previewImport`
 * does.
 */
export async function previewOnServer(
  db: Db,
  schoolName: string | undefined,
  file: ImportFile,
  kindText: string,
  choices: Choices,
) {
  const school = await findSchoolNamed(db, schoolName);
  const kind = importKindSchema.parse(kindText);
  if (kind === 'all') throw new AppError('invalid', importTexts.wholeSchool);
  return { school, kind, preview: await previewImport(db, school, file, kind, choices) };
}

/** Null once it is written; else why not. */
export async function importOnServer(
  db: Db,
  school: NamedSchool,
  file: ImportFile,
  kind: ImportKind,
  choices: Choices & { preview: ImportPreview },
): Promise<string | null> {
  const importer = { ...school, member: null };
  const { id } = await uploadImport(db, importer, file, kind, choices);
  await requestApply(db, importer, id, choices.options);
  // A server that runs meanwhile leaves it to this command.
  await claimJobOf(db, 'import', id);
  await runImport({ work: db, progress: db }, { id, schoolId: school.schoolId });
  await dropJob(db, 'import', id);
  return (await requireImport(db, school.schoolId, id)).failure;
}

async function findSchoolNamed(db: Db, name: string | undefined): Promise<NamedSchool> {
  const schools = await db
    .selectFrom('schools')
    .select(['id as schoolId', 'name', 'time_zone as timeZone'])
    .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
    .orderBy('id')
    .limit(2)
    .execute();
  const [school, another] = schools;
  if (!school)
    throw new AppError('notFound', name === undefined ? 'There is no school yet.' : `There is no school '${name}'.`);
  if (another) throw new AppError('conflict', 'There are several schools: name one with --school.');
  return school;
}
