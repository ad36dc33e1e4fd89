import { openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { exportSchool } from '#app/domain/archive/export-school.server.ts';
import {
  answerMovingIn,
  type ArchiveFile,
  NOBODY_ANSWER,
  uploadArchive,
} from '#app/domain/archive/waiting-archive.server.ts';
import { makeSchool, makeUser } from '../school.ts';
import { admin, type OperationCase } from '../operation-case.ts';
import { bytesOf } from './read-zip.ts';

/** What administrators do to move in with a whole school. */
export const archiveCases = (db: Db, source: Db): OperationCase[] => {
  const isAlone = true;
  const anExport = () => exportOfAnother(source);
  const anUpload = async (by: Member) => (await uploadArchive(db, by, await anExport())).id;
  const answer = (by: Member, id: number, key?: string) => answerMovingIn(db, by, id, { person: NOBODY_ANSWER }, key);
  return [
    admin(
      'archive/waiting-archive to upload an export',
      anExport,
      (by, file, key) => uploadArchive(db, by, file, key),
      {
        isAlone,
      },
    ),
    admin('archive/waiting-archive to say who the administrator is', anUpload, answer, { isAlone }),
  ];
};

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
