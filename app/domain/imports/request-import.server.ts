import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import { alertToUse } from '../audit/alerts.server.ts';
import { now } from '../database-clock.server.ts';
import { AppError } from '../app-error.ts';
import { bringsAdministrators } from '../power.ts';
import { archiveTexts } from '../archive/schema.server.ts';
import { importTexts } from './import-texts.server.ts';
import { importOptionsSchema, type ImportOptions } from './options.server.ts';
import { lockImport, requireImport, updateImport } from './queries.server.ts';
import { type Importer, runForImporter } from './upload-import.server.ts';

/** Asks for a file to be imported; asked again while it is under way or done, does nothing. Throws 'notFound', 'conflict'. */
export function requestApply(
  db: Db,
  importer: Importer,
  id: number,
  options: ImportOptions,
  key?: string,
): Promise<{ id: number }> {
  return requestWork(db, importer, { id, work: 'apply', options, key });
}

/** Asks for an import to be undone, as `requestApply`. */
export function requestUndo(db: Db, importer: Importer, id: number, key?: string): Promise<{ id: number }> {
  return requestWork(db, importer, { id, work: 'undo', key });
}

interface Wanted {
  id: number;
  work: 'apply' | 'undo';
  options?: ImportOptions;
  key?: string | undefined;
}

function requestWork(db: Db, importer: Importer, { id, work, options, key }: Wanted): Promise<{ id: number }> {
  const { member, schoolId } = importer;
  const isApplied = work === 'apply';
  const request = async (trx: Trx, actor?: Actor) => {
    const { kind, state, requested } = await requireImport(trx, schoolId, id);
    if (kind === 'all' && !isApplied) throw new AppError('conflict', archiveTexts.notUndone);
    if (requested === work || state === (isApplied ? 'applied' : 'undone')) return { id };
    if (requested !== null || state !== (isApplied ? 'uploaded' : 'applied'))
      throw new AppError('conflict', isApplied ? importTexts.notWaiting : importTexts.notApplied);
    await updateImport(trx, { schoolId, id })
      .set({ requested: work, requested_by: member?.id ?? null, requested_at: now, failure: null })
      .$if(options !== undefined, (query) => query.set({ options: JSON.stringify(importOptionsSchema.parse(options)) }))
      .execute();
    // The import itself is done and recorded later, by a job.
    if (actor) await alertToUse(trx, actor, undefined);
    return { id };
  };
  const givesPower = async (trx: Trx) => {
    await lockImport(trx, { schoolId, id });
    const { kind, options: stored } = await requireImport(trx, schoolId, id);
    return bringsAdministrators(kind, options ?? stored);
  };
  const operation = isApplied ? `apply import ${id}` : `undo import ${id}`;
  const once = { key, operation, input: options ?? null, givesPower };
  return runForImporter(db, importer, once, request);
}

/** Gives up what was asked for, and says why. */
export async function refuseRequest(db: Db, named: { id: number; schoolId: number }, failure: string) {
  await updateImport(db, named)
    .set({ requested: null, requested_at: null, failure })
    .where('requested', 'is not', null)
    .execute();
}
