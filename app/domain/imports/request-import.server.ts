import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { alertToUseOfPower } from '../audit/alerts.server.ts';
import { now } from '../database-clock.server.ts';
import { AppError } from '../app-error.ts';
import { importBringsAdministrators } from '../power.ts';
import { archiveTexts } from '../archive/schema.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { importTexts } from './import-texts.server.ts';
import type { ImportOptions } from './options.server.ts';
import { lockImport, requireImport, updateImportQuery } from './queries.server.ts';
import type { ImportingMember } from './upload-import.server.ts';

/** Asks for a file to be imported; asked again while it is under way or done, does nothing. Throws 'notFound', 'conflict'. */
export function requestApply(db: Db, { member }: ImportingMember, id: number, options: ImportOptions, key?: string) {
  return requestWork(db, member, { id, work: 'apply', options, key });
}

/** Asks for an import to be undone, as `requestApply`. */
export function requestUndo(db: Db, { member }: ImportingMember, id: number, key?: string) {
  return requestWork(db, member, { id, work: 'undo', key });
}

const STEPS = {
  apply: { operation: 'apply import', from: 'uploaded', to: 'applied', refusal: importTexts.notWaiting },
  undo: { operation: 'undo import', from: 'applied', to: 'undone', refusal: importTexts.notApplied },
} as const;

interface Wanted {
  id: number;
  work: keyof typeof STEPS;
  options?: ImportOptions;
  key: string | undefined;
}

function requestWork(db: Db, member: Member, { id, work, options, key }: Wanted): Promise<{ id: number }> {
  const { schoolId } = member;
  const { operation, from, to, refusal } = STEPS[work];
  const givesPower = async (trx: Trx) => {
    await lockImport(trx, { schoolId, id });
    const { kind, options: stored } = await requireImport(trx, schoolId, id);
    return importBringsAdministrators(kind, options ?? stored);
  };
  const request = { key, operation: `${operation} ${id}`, input: options ?? null, givesPower };
  return runOperation(
    db,
    { actor: member, can: 'manage school', lockFirst: 'school', ...request },
    async (trx, actor) => {
      const { kind, state, requested } = await requireImport(trx, schoolId, id);
      if (kind === 'all' && work === 'undo') throw new AppError('conflict', archiveTexts.notUndone);
      if (requested === work || state === to) return { id };
      if (requested !== null || state !== from) throw new AppError('conflict', refusal);
      await updateImportQuery(trx, { schoolId, id })
        .set({ requested: work, requested_by: actor.id, requested_at: now, failure: null })
        .$if(options !== undefined, (query) => query.set({ options: JSON.stringify(options) }))
        .execute();
      // The import itself is done and recorded later, by a job.
      await alertToUseOfPower(trx, actor, undefined);
      return { id };
    },
  );
}

/** Gives up what was asked for, and says why. */
export async function recordRequestFailure(db: Db, named: { id: number; schoolId: number }, failure: string) {
  await updateImportQuery(db, named)
    .set({ requested: null, requested_at: null, failure })
    .where('requested', 'is not', null)
    .execute();
}
