import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { databaseTrouble } from '#db/database-trouble.ts';
import { inTransaction } from '#db/transaction.ts';
import { IMPORT_TAKEN_PAUSE_SECONDS, MAX_IMPORT_ATTEMPTS } from '#app/limits.ts';
import { assertCan } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Ending } from '../jobs/job.ts';
import { fingerprint } from '../idempotency.server.ts';
import { hashRandomPassword } from '../people/passwords.server.ts';
import { findAdministrators, findActorForShare } from '../people/queries.server.ts';
import { lockSchool } from '../school/queries.server.ts';
import { texts } from '../texts.ts';
import { runMovingIn, withProvenArchive } from '../archive/run-moving-in.server.ts';
import { applyImport, progressWriterOf } from './apply-import.server.ts';
import { requireReading } from './change-import.server.ts';
import { type ImportFile, parseImport, readImport, type SchoolWithTimeZone } from './import-file.server.ts';
import type { ImportPreview } from './import-preview.server.ts';
import { importTexts } from './import-texts.server.ts';
import { assertAnswered } from './open-questions.ts';
import { PlanOutdatedError } from './plan/assert-plan-is-current.server.ts';
import { requireImport } from './queries.server.ts';
import type { FileReading } from './reading/read-file.server.ts';
import type { ImportKind, StoredKind } from './records.ts';
import { recordRequestFailure } from './request-import.server.ts';
import { undoImport } from './undo/undo-import.server.ts';
import { type Choices, insertImport } from './upload-import.server.ts';

interface Pools {
  work: Db;
  /** Writes how far the work is, outside its transaction. */
  progress: Db;
}

interface Named {
  id: number;
  schoolId: number;
}

/**
 * Does what was asked for in one transaction. A refusal is told on the import; an error of the database is thrown, to
 * be tried three times in all; so is an error that nobody foresaw, once the import says that it failed.
 */
export async function runRequestedWork(pools: Pools, named: Named, attempts = 1): Promise<Ending> {
  const { progress } = pools;
  if (!(await requireImport(progress, named.schoolId, named.id)).requested) return { outcome: 'done' };
  if (attempts > MAX_IMPORT_ATTEMPTS) {
    await recordRequestFailure(progress, named, importTexts.gaveUp);
    return { outcome: 'given up' };
  }
  try {
    const isMine = await prepareAndWrite(pools, named);
    // Whoever has it may yet fail.
    return isMine ? { outcome: 'done' } : { outcome: 'released', pauseSeconds: IMPORT_TAKEN_PAUSE_SECONDS };
  } catch (error) {
    if (databaseTrouble(error)) throw error;
    await recordRequestFailure(progress, named, error instanceof AppError ? error.message : importTexts.failed);
    if (!(error instanceof AppError)) throw error;
    return { outcome: 'done' };
  }
}

async function prepareAndWrite({ work, progress }: Pools, named: Named): Promise<boolean> {
  const { schoolId } = named;
  const { kind, preview, requested } = await requireImport(progress, schoolId, named.id);
  const turn = { schoolId, kind, take: (trx: Trx) => claim(trx, named, requested) };
  if (requested !== 'apply') return takeTurn(work, turn, (trx, taken) => undoImport(trx, taken));
  if (kind !== 'all') {
    const reading = await requireReading(progress, { schoolId, isJob: true }, named.id);
    const prepared = await prepare(progress, { schoolId, timeZone: await findTimeZone(progress, schoolId) }, reading);
    return takeTurn(work, turn, (trx, taken) => applyImport(trx, { ...taken, ...prepared, progress }));
  }
  const passwordHash = await hashRandomPassword();
  return withProvenArchive(progress, named, (proven) =>
    takeTurn(work, turn, (trx, { owner }) => {
      const onRows = progressWriterOf(progress, { ...named, total: preview.rows });
      return runMovingIn(trx, { ...named, ...proven, administratorId: owner.id, passwordHash, onRows });
    }),
  );
}

/**
 * Keeps a file and writes its rows in one transaction for whoever runs the server, recorded as done by nobody of the
 * school: who ends the command ends all of it. Throws as `applyImport` does.
 */
export async function importAsServerOperator(
  db: Db,
  school: SchoolWithTimeZone,
  file: ImportFile,
  kind: ImportKind,
  { answers, ...choices }: Required<Choices> & { preview: ImportPreview },
): Promise<void> {
  const { schoolId } = school;
  const upload = { file, hash: fingerprint(file.content), kind, answers, ...choices };
  const take = async (trx: Trx) => ({
    ...(await insertImport(trx, { schoolId, id: null }, upload)),
    requested_by: null,
  });
  const prepared = await prepare(db, school, await readImport(file, kind, answers, { schoolId }));
  await takeTurn(db, { schoolId, kind, take }, (trx, taken) =>
    applyImport(trx, { ...taken, ...prepared, progress: db }),
  );
}

async function prepare(db: Db, school: SchoolWithTimeZone, reading: FileReading) {
  assertAnswered(reading);
  const passwordHash = reading.kind === 'people' ? await hashRandomPassword() : '';
  return { file: await parseImport(db, school, reading), passwordHash };
}

async function findTimeZone(db: Db, schoolId: number): Promise<string> {
  const school = db.selectFrom('schools').select('time_zone').where('id', '=', schoolId);
  return (await school.executeTakeFirstOrThrow()).time_zone;
}

interface Turn {
  schoolId: number;
  kind: StoredKind;
  /** Takes the import that is to be done; undefined where another process has it, or has done it. */
  take(trx: Trx): Promise<Pick<Row<'imports'>, 'id' | 'requested_by'> | undefined>;
}

interface Taken extends Named {
  owner: { id: number; username: string };
  doneBy: number | null;
  /** No check-out comes between the plan and the rows: it is so from the beginning, or after two plans in vain. */
  locksFleet: boolean;
}

/** Returns false where another import has it. */
async function takeTurn(
  db: Db,
  { schoolId, kind, take }: Turn,
  write: (trx: Trx, taken: Taken) => Promise<void>,
  plans = 1,
): Promise<boolean> {
  const needsLock = kind === 'fleet' || kind === 'squawks' || kind === 'inspections';
  try {
    return await inTransaction(db, async (trx) => {
      // One import of a school at a time: others may bring the same flights.
      await sql`select pg_advisory_xact_lock(${IMPORTS_LOCK}, ${schoolId})`.execute(trx);
      // Who else writes users' rows locks the school first.
      if (kind !== 'flights') await lockSchool(trx, schoolId);
      const taken = await take(trx);
      if (!taken) return false;
      const { id, requested_by: doneBy } = taken;
      const owner = await authorize(trx, schoolId, doneBy);
      await write(trx, { id, schoolId, owner, doneBy, locksFleet: needsLock || plans > MAX_PLANS_WITHOUT_LOCK });
      return true;
    });
  } catch (error) {
    if (!(error instanceof PlanOutdatedError)) throw error;
    return takeTurn(db, { schoolId, kind, take }, write, plans + 1);
  }
}

const MAX_PLANS_WITHOUT_LOCK = 2;
const IMPORTS_LOCK = 20_261_123;

function claim(trx: Trx, { id, schoolId }: Named, requested: Row<'imports'>['requested']) {
  return trx
    .selectFrom('imports')
    .select(['id', 'requested_by'])
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .where('requested', '=', requested)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Who asked must still be allowed to; on the server it is the school's first administrator in whose name rows are. */
async function authorize(trx: Trx, schoolId: number, userId: number | null) {
  const id = userId ?? (await findAdministrators(trx, schoolId))[0]?.id;
  if (id === undefined) throw new AppError('conflict', texts.lastAdministrator);
  const user = await findActorForShare(trx, { id });
  if (!user || user.schoolId !== schoolId) throw new AppError('forbidden', texts.forbidden);
  assertCan({ ...user, id, timeZone: '' }, 'manage school');
  return { id, username: user.username };
}
