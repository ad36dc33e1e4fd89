import { sql } from 'kysely';
import { z } from 'zod';
import { sealedTextExpression } from '#db/activity-chain.ts';
import type { Trx } from '#db/connect.server.ts';
import { SEAL_LOOKBACK_ENTRIES } from '#app/limits.ts';
import { findHead, sealHash } from '../audit/seal-entries.server.ts';
import { AppError } from '../app-error.ts';
import { TABLES_OF_SUBJECTS } from './archived-tables.ts';
import { readArchivedBatches, type ArchivedRow } from './archived-rows.server.ts';
import type { MovedIds } from './moved-ids.server.ts';
import type { OpenArchive } from './open-archive.server.ts';

interface Moving {
  archivedSchoolId: number;
  schoolId: number;
  ids: MovedIds;
  /** True if the school is here and has events: the archived ones follow them. */
  isHere: boolean;
}

/**
 * Proves the archived chain, and seals the same events here. Where every id is kept, the hashes are the archived ones; else
 * they are made of the ids that the events have here (docs/decisions/149). Throws 'invalid'.
 */
export async function importSeals(trx: Trx, archive: OpenArchive, moving: Moving): Promise<void> {
  const { schoolId, isHere } = moving;
  let ends: ChainEnds = { archived: undefined, here: isHere ? await findHead(trx, schoolId) : undefined };
  for await (const rows of readArchivedBatches(archive, 'audit_seals'))
    ends = await importBatch(trx, rows, moving, ends);
  await assertSealedSoon(trx, schoolId);
}

/** Whoever seals looks further back only once an hour, and not for many. */
async function assertSealedSoon(trx: Trx, schoolId: number): Promise<void> {
  const { rows } = await sql`
    select from audit_entries where school_id = ${schoolId}
      and id <= (select max(entry_id) from audit_seals where chain = ${schoolId}) - ${SEAL_LOOKBACK_ENTRIES}::integer
      and not exists (select from audit_seals where entry_id = audit_entries.id) limit 1`.execute(trx);
  if (rows.length > 0) throw new AppError('invalid', 'The export has old events that were never sealed.');
}

interface ChainEnd {
  position: number;
  hash: string;
}

interface ChainEnds {
  archived: ChainEnd | undefined;
  here: ChainEnd | undefined;
}

const sealSchema = z.object({
  position: z.int().positive(),
  entry_id: z.int().positive(),
  previous_hash: z.string(),
  hash: z.string(),
});

async function importBatch(trx: Trx, rows: ArchivedRow[], moving: Moving, ends: ChainEnds): Promise<ChainEnds> {
  const seals = rows.map(({ values }) => sealSchema.parse(values));
  const texts = await findTexts(trx, seals, moving);
  let { archived, here } = ends;
  const sealed = seals.map((seal) => {
    const entryId = moving.ids.here('audit_entries', seal.entry_id);
    const text = texts.get(entryId);
    const follows = !archived || (seal.position === archived.position + 1 && seal.previous_hash === archived.hash);
    if (!text || !follows || sealHash(seal.previous_hash, text.archived) !== seal.hash) throw brokenChain(seal);
    const previous = here ?? { position: seal.position - 1, hash: seal.previous_hash };
    here = { position: previous.position + 1, hash: sealHash(previous.hash, text.here) };
    archived = { position: seal.position, hash: seal.hash };
    return { chain: moving.schoolId, ...here, entry_id: entryId, previous_hash: previous.hash };
  });
  await trx.insertInto('audit_seals').values(sealed).execute();
  return { archived, here };
}

async function findTexts(trx: Trx, seals: { entry_id: number }[], { archivedSchoolId, ids }: Moving) {
  const entries = await trx
    .selectFrom('audit_entries')
    .select(['id', 'user_id', 'subject', 'subject_id'])
    .where(sql<boolean>`id = any(${seals.map(({ entry_id }) => ids.here('audit_entries', entry_id))}::integer[])`)
    .execute();
  const before = entries.map(({ id, user_id, subject, subject_id }) => {
    const table = TABLES_OF_SUBJECTS.get(subject);
    return {
      here: id,
      id: ids.before('audit_entries', id),
      school_id: archivedSchoolId,
      user_id: user_id === null ? null : ids.before('users', user_id),
      subject_id: subject_id === null || !table ? subject_id : ids.before(table, subject_id),
    };
  });
  const { rows } = await sql<{ id: number; archived: string; here: string }>`
    select entry.id, (select ${sealedTextExpression} from (select entry.*) as one) as here, (
      select ${sealedTextExpression} from (
        select was.*, created_at, action, subject, before, after, reason, outcome, times, address, request_id, email_digest) as one
    ) as archived
    from audit_entries as entry
    join jsonb_to_recordset(${JSON.stringify(before)}::jsonb)
      as was (here integer, id integer, school_id integer, user_id integer, subject_id integer) on was.here = entry.id`.execute(
    trx,
  );
  return new Map(rows.map(({ id, ...text }) => [id, text]));
}

function brokenChain({ entry_id }: { entry_id: number }): AppError {
  return new AppError('invalid', `The events are not what was recorded: event ${entry_id} does not fit its seal.`);
}
