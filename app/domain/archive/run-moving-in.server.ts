import type { Db, Trx } from '#db/connect.server.ts';
import { UPLOADED_ARCHIVE_LIMITS } from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { now } from '../database-clock.server.ts';
import { importTexts } from '../imports/import-texts.server.ts';
import { updateImportQuery } from '../imports/queries.server.ts';
import { deletePieces, type ImportReference, withFileOfPieces } from './archive-pieces.server.ts';
import { rethrowAsFileFault } from './schema.server.ts';
import { writeArchivedSchool } from './import-school.server.ts';
import { type ArchivedIds, findArchivedIds } from './moved-ids.server.ts';
import { openArchive, type OpenArchive } from './open-archive.server.ts';
import {
  assertNothingRecorded,
  findQuestions,
  otherNamesOf,
  archivedAdministratorOf,
  requireWaitingArchive,
} from './waiting-archive.server.ts';

interface ProvenArchive {
  archive: OpenArchive;
  archivedIds: ArchivedIds;
}

/** Runs `work` with an export that waits, proven before anything is locked. Throws 'invalid'. */
export function withProvenArchive<Result>(
  db: Db,
  named: ImportReference,
  work: (proven: ProvenArchive) => Promise<Result>,
): Promise<Result> {
  return withFileOfPieces(db, named, async (descriptor) => {
    const archive = await openArchive(descriptor, UPLOADED_ARCHIVE_LIMITS);
    return work({ archive, archivedIds: await findArchivedIds(archive).catch(rethrowAsFileFault) });
  });
}

interface MovingIn extends ImportReference, ProvenArchive {
  administratorId: number;
  passwordHash: string;
  onRows: (rows: number) => Promise<void>;
}

/** Writes an export that waits into its school. Throws 'conflict' where questions are open or the school has something. */
export async function runMovingIn(trx: Trx, { id, schoolId, archive, ...moving }: MovingIn): Promise<void> {
  await assertNothingRecorded(trx, schoolId);
  const waiting = await requireWaitingArchive(trx, schoolId, id);
  if ((await findQuestions(trx, schoolId, waiting)).length > 0)
    throw new AppError('conflict', importTexts.questionsOpen);
  const { administratorId, ...rest } = moving;
  const into = { schoolId, administratorId, person: archivedAdministratorOf(waiting) };
  const others = otherNamesOf(waiting);
  await writeArchivedSchool(trx, archive, { ...rest, into, people: waiting.people, others }).catch(rethrowAsFileFault);
  await updateImportQuery(trx, { schoolId, id })
    .set({ state: 'applied', applied_at: now, requested: null, requested_at: null, content: null, archive: null })
    .execute();
  await deletePieces(trx, { schoolId, id });
}
