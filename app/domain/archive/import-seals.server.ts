import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import { sealedText, sealHash } from '../audit/seal-entries.server.ts';
import { AppError } from '../app-error.ts';
import { type IdShifts, shifted, subjectId } from './id-shifts.server.ts';

export interface ArchivedSeal {
  position: number;
  entry_id: number;
  previous_hash: string;
  hash: string;
}

/** Heads of the chain here and there, to go on from. */
export interface ChainEnds {
  archived: { position: number; hash: string } | undefined;
  hash: string | undefined;
}

/**
 * Proves the next seals of the archived chain, and seals the same events here. Where every id is kept, the hashes are the
 * archived ones; else they are made of the ids that the events have here (docs/decisions/149). Throws 'invalid'.
 */
export async function importSeals(
  trx: Trx,
  schoolId: number,
  seals: ArchivedSeal[],
  shifts: IdShifts,
  ends: ChainEnds,
): Promise<ChainEnds> {
  const texts = await findTexts(trx, seals, shifts);
  let { archived, hash } = ends;
  const rows = seals.map((seal) => {
    const texted = texts.get(seal.entry_id);
    const follows = !archived || (seal.position === archived.position + 1 && seal.previous_hash === archived.hash);
    if (!texted || !follows || sealHash(seal.previous_hash, texted.archived) !== seal.hash) throw brokenChain(seal);
    const previous = hash ?? seal.previous_hash;
    hash = sealHash(previous, texted.here);
    archived = { position: seal.position, hash: seal.hash };
    const entryId = seal.entry_id + shifts.audit_entries;
    return { chain: schoolId, position: seal.position, entry_id: entryId, previous_hash: previous, hash };
  });
  if (rows.length > 0) await trx.insertInto('audit_seals').values(rows).execute();
  return { archived, hash };
}

/** Finds what is sealed of each event, by its archived id: as it was there, and as it is here. */
async function findTexts(trx: Trx, seals: ArchivedSeal[], shifts: IdShifts) {
  const ids = seals.map((seal) => seal.entry_id + shifts.audit_entries);
  const { rows } = await sql<{ id: number; archived: string; here: string }>`
    select id, ${sealedText} as here, ${archivedText(shifts)} as archived
    from audit_entries where id = any(${ids}::integer[])`.execute(trx);
  return new Map(rows.map(({ id, ...text }) => [id - shifts.audit_entries, text]));
}

function archivedText(shifts: IdShifts) {
  const before = (column: string, shift: number) => shifted(sql`${sql.ref(column)}`, -shift);
  return sql<string>`jsonb_build_array(
    ${before('id', shifts.audit_entries)}, ${before('school_id', shifts.schools)}, ${before('user_id', shifts.users)},
    to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'), action, subject,
    ${subjectId(sql.ref('subject_id'), sql.ref('subject'), shifts, -1)},
    before, after, reason, outcome, times, address, request_id, email_digest)::text`;
}

function brokenChain({ entry_id }: ArchivedSeal): AppError {
  return new AppError('invalid', `The events are not what was recorded: event ${entry_id} does not fit its seal.`);
}
