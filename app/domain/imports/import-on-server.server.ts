import type { Db, Trx } from '#db/connect.server.ts';
import { fingerprint } from '../idempotency.server.ts';
import { hashOfNoPassword } from '../people/passwords.server.ts';
import { type ImportFile, parseImport, readImport, type School } from './import-file.server.ts';
import type { ImportPreview } from './import-preview.server.ts';
import type { ImportKind } from './records.ts';
import { writeImport } from './run-import.server.ts';
import { type Choices, insertImport } from './upload-import.server.ts';

/**
 * Keeps a file and writes its rows in one transaction for whoever runs the server, recorded as done by nobody of the
 * school: who ends the command ends all of it. Throws as `applyImport` does.
 */
export async function importOnServer(
  db: Db,
  school: School,
  file: ImportFile,
  kind: ImportKind,
  { answers, ...choices }: Required<Choices> & { preview: ImportPreview },
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
