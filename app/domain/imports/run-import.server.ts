import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { databaseTrouble } from '#db/database-trouble.ts';
import { inTransaction } from '#db/transaction.ts';
import { IMPORT_BUSY_SECONDS, MAX_IMPORT_ATTEMPTS } from '#app/limits.ts';
import { assertCan } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Ending } from '../jobs/job.ts';
import { hashOfNoPassword } from '../people/passwords.server.ts';
import { findAdministrators, findUserForShare } from '../people/queries.server.ts';
import { lockSchool } from '../school/queries.server.ts';
import { texts } from '../texts.ts';
import { type ProvenArchive, runMovingIn, withProvenArchive } from '../archive/run-moving-in.server.ts';
import { applyImport, progressOf } from './apply-import.server.ts';
import { requireReading } from './change-import.server.ts';
import { parseImport } from './import-file.server.ts';
import { importTexts } from './import-texts.server.ts';
import { assertAnswered } from './open-questions.ts';
import { PlanOutdatedError } from './plan/assert-plan-is-current.server.ts';
import { requireImport, type StoredImport } from './queries.server.ts';
import type { ParsedFile } from './records.ts';
import { refuseRequest } from './request-import.server.ts';
import { undoImport } from './undo/undo-import.server.ts';

interface Pools {
  /** This pool has time for long statements. */
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
export async function runImport(pools: Pools, named: Named, attempts = 1): Promise<Ending> {
  const { progress } = pools;
  if (!(await requireImport(progress, named.schoolId, named.id)).requested) return { outcome: 'done' };
  if (attempts > MAX_IMPORT_ATTEMPTS) {
    await refuseRequest(progress, named, importTexts.gaveUp);
    return { outcome: 'given up' };
  }
  try {
    const isMine = await prepareAndWrite(pools, named);
    // Whoever has it may yet fail.
    return isMine ? { outcome: 'done' } : { outcome: 'released', pauseSeconds: IMPORT_BUSY_SECONDS };
  } catch (error) {
    if (databaseTrouble(error)) throw error;
    await refuseRequest(progress, named, error instanceof AppError ? error.message : importTexts.failed);
    if (!(error instanceof AppError)) throw error;
    return { outcome: 'done' };
  }
}

async function prepareAndWrite(pools: Pools, named: Named): Promise<boolean> {
  const { progress } = pools;
  const { kind, preview, requested } = await requireImport(progress, named.schoolId, named.id);
  const turn = { schoolId: named.schoolId, take: (trx: Trx) => claim(trx, named) };
  if (requested !== 'apply') return writeImport(pools, turn, { kind, file: undefined, passwordHash: '' });
  if (kind !== 'all') return writeImport(pools, turn, await prepare(progress, named));
  const passwordHash = await hashOfNoPassword();
  return withProvenArchive(progress, named, (proven) =>
    writeImport(pools, turn, { kind, passwordHash, file: undefined, archive: { proven, rows: preview.rows } }),
  );
}

interface Turn {
  schoolId: number;
  /** Takes the import that is to be done; undefined where another process has it, or has done it. */
  take(trx: Trx): Promise<Pick<Row<'imports'>, 'id' | 'requested' | 'requested_by'> | undefined>;
}

interface Prepared {
  kind: StoredImport['kind'];
  passwordHash: string;
  file: ParsedFile | undefined;
  archive?: { proven: ProvenArchive; rows: number };
}

/** Locks the fleet from the beginning after two plans in vain. Returns false where another import has it. */
export async function writeImport(pools: Pools, turn: Turn, prepared: Prepared, plans = 1): Promise<boolean> {
  const { progress } = pools;
  const { file, archive, kind, passwordHash } = prepared;
  const needsLock = kind === 'fleet' || kind === 'squawks' || kind === 'inspections';
  try {
    return await inTransaction(pools.work, async (trx) => {
      await lockImports(trx, turn.schoolId);
      // Who else writes users' rows locks the school first.
      if (kind !== 'flights') await lockSchool(trx, turn.schoolId);
      const claimed = await turn.take(trx);
      if (!claimed) return false;
      const named = { id: claimed.id, schoolId: turn.schoolId };
      const doneBy = claimed.requested_by;
      const owner = await authorize(trx, turn.schoolId, doneBy);
      const locksFleet = needsLock || plans > MAX_PLANS_WITHOUT_LOCK;
      if (claimed.requested === 'undo') await undoImport(trx, { ...named, owner: doneBy });
      else if (archive) {
        const onRows = progressOf(progress, { ...named, total: archive.rows });
        await runMovingIn(trx, { ...named, ...archive.proven, administratorId: owner.id, passwordHash, onRows });
      } else if (file) await applyImport(trx, { ...named, file, owner, doneBy, passwordHash, progress, locksFleet });
      return true;
    });
  } catch (error) {
    if (!(error instanceof PlanOutdatedError)) throw error;
    return writeImport(pools, turn, prepared, plans + 1);
  }
}

const MAX_PLANS_WITHOUT_LOCK = 2;

/** One import of a school at a time: others may bring the same flights. */
async function lockImports(trx: Trx, schoolId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${IMPORTS_LOCK}, ${schoolId})`.execute(trx);
}

const IMPORTS_LOCK = 20_261_123;

/** Does the slow part before any row is locked. */
async function prepare(db: Db, { id, schoolId }: Named): Promise<Prepared> {
  const reading = await requireReading(db, { schoolId, isJob: true }, id);
  assertAnswered(reading);
  const { kind } = reading;
  const passwordHash = kind === 'people' ? await hashOfNoPassword() : '';
  const timeZone = await findTimeZone(db, schoolId);
  return { kind, file: await parseImport(db, { schoolId, timeZone }, reading), passwordHash };
}

async function findTimeZone(db: Db, schoolId: number): Promise<string> {
  const school = db.selectFrom('schools').select('time_zone').where('id', '=', schoolId);
  return (await school.executeTakeFirstOrThrow()).time_zone;
}

function claim(trx: Trx, { id, schoolId }: Named) {
  return trx
    .selectFrom('imports')
    .select(['id', 'requested', 'requested_by'])
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .where('requested', 'is not', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Who asked must still be allowed to; on the server it is the school's first administrator in whose name rows are. */
async function authorize(trx: Trx, schoolId: number, userId: number | null) {
  const id = userId ?? (await findFirstAdministrator(trx, schoolId));
  const user = await findUserForShare(trx, { id });
  if (!user || user.schoolId !== schoolId) throw new AppError('forbidden', texts.forbidden);
  assertCan({ ...user, id, timeZone: '' }, 'manage school');
  return { id, username: user.username };
}

async function findFirstAdministrator(trx: Trx, schoolId: number): Promise<number> {
  const [administrator] = await findAdministrators(trx, schoolId);
  if (!administrator) throw new AppError('conflict', texts.lastAdministrator);
  return administrator.id;
}
