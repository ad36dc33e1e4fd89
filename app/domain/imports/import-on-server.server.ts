import type { Db } from '#db/connect.server.ts';
import { claimJobOf, dropJob } from '../jobs/queries.server.ts';
import type { ImportFile, School } from './import-file.server.ts';
import { requireImport } from './queries.server.ts';
import type { ImportKind } from './records.ts';
import { requestApply } from './request-import.server.ts';
import { runImport } from './run-import.server.ts';
import { type Choices, uploadImport } from './upload-import.server.ts';

/**
 * Imports a file for whoever runs the server, recorded as done by nobody of the school. Returns null once it is written;
 * else why not.
 */
export async function importOnServer(
  db: Db,
  school: School,
  file: ImportFile,
  kind: ImportKind,
  choices: Required<Choices>,
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
