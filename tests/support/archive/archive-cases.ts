import { openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Db } from '#db/connect.server.ts';
import { exportSchool } from '#app/domain/archive/export-school.server.ts';
import { answerMovingIn, type ArchiveFile, NOBODY, uploadArchive } from '#app/domain/archive/waiting-archive.server.ts';
import { makeSchool, makeUser } from '../school.ts';
import { byAdministrators, type OperationCase } from '../operation-case.ts';
import { bytesOf } from './read-zip.ts';

/** What administrators do to move in with a whole school. */
export const archiveCases = (db: Db, source: Db): OperationCase[] => [
  byAdministrators(
    'archive/waiting-archive to upload an export',
    async () => {
      const file = await exportOfAnother(source);
      return (actor, key) => uploadArchive(db, actor, file, key);
    },
    { isAlone: true },
  ),
  byAdministrators(
    'archive/waiting-archive to say who the administrator is',
    async (administrator) => {
      const { id } = await uploadArchive(db, administrator, await exportOfAnother(source));
      return (actor, key) => answerMovingIn(db, actor, id, { person: NOBODY }, key);
    },
    { isAlone: true },
  ),
];

async function exportOfAnother(db: Db): Promise<ArchiveFile> {
  const { schoolId } = await makeUser(db, await makeSchool(db), 'administrator');
  const content = await bytesOf(exportSchool(db, schoolId));
  const folder = await mkdtemp(path.join(tmpdir(), 'flightline-export-'));
  const file = path.join(folder, 'everything.zip');
  await writeFile(file, content);
  const descriptor = openSync(file, 'r');
  await rm(folder, { recursive: true });
  return {
    ...{ name: 'everything.zip', descriptor },
    async *pieces() {
      yield content;
    },
  };
}
