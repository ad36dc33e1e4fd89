import type { Db, Trx } from '#db/connect.server.ts';
import { AppError } from '../app-error.ts';
import { type ImportFile, parseImport, readImport } from './import-file.server.ts';
import type { ImportPreview } from './import-preview.server.ts';
import { importTexts } from './import-texts.server.ts';
import type { ImportOptions } from './options.server.ts';
import { fingerprint } from '../idempotency.server.ts';
import { hashOfNoPassword } from '../people/passwords.server.ts';
import type { Answers } from './reading/answers.ts';
import type { ImportKind } from './records.ts';
import { writeImport } from './run-import.server.ts';
import { importKindSchema } from './schema.server.ts';
import { insertImport, previewImport } from './upload-import.server.ts';

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

/** Keeps the file and writes its rows in one transaction: who ends the command ends all of it. Throws as `applyImport` does. */
export async function importOnServer(
  db: Db,
  school: NamedSchool,
  file: ImportFile,
  kind: ImportKind,
  { answers, ...choices }: Choices & { preview: ImportPreview },
): Promise<void> {
  const { schoolId } = school;
  const reading = await readImport(file, kind, answers, { schoolId });
  const upload = { file, hash: fingerprint(file.content), kind, answers, ...choices };
  const take = async (trx: Trx) => ({
    ...(await insertImport(trx, { ...school, member: null }, upload)),
    requested: 'apply' as const,
    requested_by: null,
  });
  const passwordHash = kind === 'people' ? await hashOfNoPassword() : '';
  const parsed = await parseImport(db, school, reading);
  await writeImport({ work: db, progress: db }, { schoolId, take }, { kind, file: parsed, passwordHash });
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
