import { openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { exportSchool } from '#app/domain/archive/export-school.server.ts';
import { answerMovingIn, type ArchiveFile, NOBODY, uploadArchive } from '#app/domain/archive/waiting-archive.server.ts';
import { makeSchool, makeUser } from '../school.ts';
import type { OperationCase } from '../webhook-cases.ts';
import { bytesOf } from './read-zip.ts';

/** What administrators do to move in with a whole school. */
export const archiveCases = (db: Db): OperationCase[] => {
  const movingIn = {
    module: 'archive/waiting-archive',
    role: 'administrator',
    demoted: 'forbidden',
    isAlone: true,
  } as const;
  return [
    {
      ...movingIn,
      act: 'to upload an export',
      prepare: async () => {
        const file = await exportOfAnother(db);
        return (actor, key) => uploadArchive(db, actor, file, key);
      },
    },
    {
      ...movingIn,
      act: 'to say who the administrator is',
      prepare: async (administrator: Member) => {
        const { id } = await uploadArchive(db, administrator, await exportOfAnother(db));
        return (actor, key) => answerMovingIn(db, actor, id, { person: NOBODY }, key);
      },
    },
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
