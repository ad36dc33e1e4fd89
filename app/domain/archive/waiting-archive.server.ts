import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Trx } from '#db/connect.server.ts';
import {
  MAX_UPLOADED_PEOPLE,
  MAX_MOVING_IN_QUESTIONS,
  ARCHIVE_PIECE_BYTES,
  UPLOADED_ARCHIVE_LIMITS,
} from '#app/limits.ts';
import { withoutWaitingBudget } from '#db/waiting-budget.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { toUnplannedPreview } from '../imports/import-preview.server.ts';
import { importTexts } from '../imports/import-texts.server.ts';
import { updateImportQuery } from '../imports/queries.server.ts';
import { insertImport } from '../imports/upload-import.server.ts';
import { emailInputSchema, usernameInputSchema } from '../people/schema.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { texts } from '../texts.ts';
import { archiveProofQueue } from '../turns/queues.server.ts';
import { insertPieces } from './archive-pieces.server.ts';
import { rethrowAsFileFault, archiveTexts } from './schema.server.ts';
import { findArchivedIds } from './moved-ids.server.ts';
import { openArchive, type OpenArchive } from './open-archive.server.ts';
import {
  type ArchivedPerson,
  archivedPersonSchema,
  readArchivedPeople,
  findTakenNames,
  type OtherNames,
} from './taken-names.server.ts';

export interface ArchiveFile {
  name: string;
  descriptor: number;
  pieces(bytes: number): AsyncGenerator<Buffer, void>;
}

/** What an archive holds that waits, and what its administrator has said, by the key of each question. */
const waitingArchiveSchema = z.object({
  school: z.string(),
  exportedAt: z.iso.datetime(),
  tables: z.record(z.string(), z.int()),
  people: z.array(archivedPersonSchema),
  answers: z.record(z.string(), z.string()),
});

export type WaitingArchive = z.infer<typeof waitingArchiveSchema>;

/**
 * Keeps an export of a whole school, to move into this one. Throws 'invalid' for what is none, 'conflict' where the school
 * has anything yet but its administrator, 'unavailable' as the queue of such files does.
 */
export function uploadArchive(db: Db, member: Member, file: ArchiveFile, key?: string): Promise<{ id: number }> {
  return withoutWaitingBudget(async () => {
    const { described, hash } = await archiveProofQueue.run([String(member.schoolId)], () => prove(file));
    const rows = Object.values(described.tables).reduce((sum, count) => sum + count, 0);
    const { schoolId } = member;
    const { name } = file;
    const request = { key, operation: 'upload import', input: { hash, name }, givesPower: () => false };
    return runOperation(db, { actor: member, can: 'manage school', lockFirst: 'school', ...request }, async (trx) => {
      await assertNothingRecorded(trx, schoolId);
      await assertNoneWaits(trx, schoolId);
      const preview = { ...toUnplannedPreview(rows), added: rows };
      const waiting = { file: { name, content: Buffer.alloc(0) }, hash, preview, archive: described };
      const { id } = await insertImport(trx, member, { ...waiting, kind: 'all' });
      await insertPieces(trx, { schoolId, id }, file.pieces(ARCHIVE_PIECE_BYTES));
      return { id };
    });
  });
}

async function prove(file: ArchiveFile) {
  const archive = await openArchive(file.descriptor, UPLOADED_ARCHIVE_LIMITS);
  const described = await describe(archive).catch(rethrowAsFileFault);
  return { described, hash: await hashOf(file.pieces(ARCHIVE_PIECE_BYTES)) };
}

const RECORDED = {
  users: 'other people',
  aircraft: 'aircraft',
  photos: 'photos',
  flight_logs: 'flights',
  squawks: 'squawks',
  inspections: 'inspections',
  invitations: 'invitations',
} as const;

/** Throws 'conflict' for a school that has anything yet but its one administrator, or has moved in before. */
export async function assertNothingRecorded(trx: Trx, schoolId: number): Promise<void> {
  const found: string[] = [];
  for (const [table, name] of Object.entries(RECORDED)) {
    const rows = await sql`
      select from ${sql.table(table)} where school_id = ${schoolId} limit 2`.execute(trx);
    if (rows.rows.length > (table === 'users' ? 1 : 0)) found.push(name);
  }
  const moved = trx.selectFrom('audit_entries').select('id').where('school_id', '=', schoolId);
  if (await moved.where('action', '=', 'imported school').limit(1).executeTakeFirst())
    found.push('events of another file');
  if (found.length === 0) return;
  throw new AppError('conflict', archiveTexts.notEmpty(new Intl.ListFormat('en').format(found)));
}

async function assertNoneWaits(trx: Trx, schoolId: number): Promise<void> {
  const waiting = trx.selectFrom('import_pieces').select('place').where('school_id', '=', schoolId).limit(1);
  if (await waiting.executeTakeFirst()) throw new AppError('conflict', archiveTexts.oneWaits);
}

async function describe(archive: OpenArchive): Promise<WaitingArchive> {
  const { school, exportedAt, tables } = archive.manifest;
  const rows = Object.entries(tables).map(([table, { rows }]) => [table, rows] as const);
  const people = await readArchivedPeople(archive, MAX_UPLOADED_PEOPLE);
  await findArchivedIds(archive);
  return { school: school.name, exportedAt, tables: Object.fromEntries(rows), people, answers: {} };
}

async function hashOf(pieces: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

/** Throws 'notFound', 'conflict' once it moved in. */
export async function requireWaitingArchive(db: Db | Trx, schoolId: number, id: number): Promise<WaitingArchive> {
  const row = await db
    .selectFrom('imports')
    .select(['archive', 'state'])
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .where('kind', '=', 'all')
    .executeTakeFirst();
  if (!row) throw new AppError('notFound', importTexts.notFound);
  if (row.archive === null || row.state !== 'uploaded') throw new AppError('conflict', importTexts.notWaiting);
  return waitingArchiveSchema.parse(row.archive);
}

export const NOBODY_ANSWER = 'nobody';

/** Who of the export the administrator is; undefined for nobody of it. */
export function archivedAdministratorOf({ people, answers }: WaitingArchive): ArchivedPerson | undefined {
  return people.find(({ id }) => String(id) === answers.person);
}

const ASKED = { username: usernameInputSchema, email: emailInputSchema(texts.emailInvalid) };

const keyOf = (about: keyof typeof ASKED, { id }: ArchivedPerson) => `${about}_${id}`;

export function otherNamesOf({ people, answers }: WaitingArchive): OtherNames {
  const names = (person: ArchivedPerson) => ({
    username: answers[keyOf('username', person)],
    email: answers[keyOf('email', person)],
  });
  return new Map(people.map((person) => [person.id, names(person)]));
}

export interface MovingInQuestion {
  key: string;
  about: 'person' | keyof typeof ASKED;
  person?: ArchivedPerson;
}

/** Finds what is not said yet: first who the administrator is, then what others are called; of many the first. */
export async function findQuestions(
  db: Db | Trx,
  schoolId: number,
  waiting: WaitingArchive,
): Promise<MovingInQuestion[]> {
  if (waiting.answers.person === undefined) return [{ key: 'person', about: 'person' }];
  const others = waiting.people.filter((person) => person !== archivedAdministratorOf(waiting));
  const taken = await findTakenNames(db, others, otherNamesOf(waiting), schoolId);
  return (['username', 'email'] as const).flatMap((about) =>
    taken[about].slice(0, MAX_MOVING_IN_QUESTIONS).map((person) => ({ key: keyOf(about, person), about, person })),
  );
}

/**
 * Notes what an administrator says of an export that waits, by the key of each question; `null` forgets it all. Throws
 * 'conflict' once it is imported, and 'invalid' with the fields of names that are none, are taken, too, or were not asked for.
 */
export function answerMovingIn(
  db: Db,
  member: Member,
  id: number,
  given: Readonly<Record<string, string>> | null,
  key?: string,
): Promise<object> {
  const { schoolId } = member;
  const request = { key, operation: `change import ${id}`, input: given };
  return runOperation(db, { actor: member, can: 'manage school', ...request }, async (trx) => {
    const waiting = await requireWaitingArchive(trx, schoolId, id);
    const before = given === null || given.person !== undefined ? {} : waiting.answers;
    const asked = await findQuestions(trx, schoolId, { ...waiting, answers: before });
    const unasked = Object.keys(given ?? {}).filter((name) => asked.every((question) => question.key !== name));
    const said = { ...waiting, answers: { ...before, ...given } };
    const wrong = {
      ...(given && (await findWrong(trx, schoolId, said, given))),
      ...Object.fromEntries(unasked.map((name) => [`answers.${name}`, archiveTexts.unasked])),
    };
    if (Object.keys(wrong).length > 0) throw new AppError('invalid', importTexts.questionsOpen, wrong);
    const changed = await updateImportQuery(trx, { schoolId, id })
      .set({ archive: JSON.stringify(said), failure: null })
      .where('requested', 'is', null)
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw new AppError('conflict', importTexts.notWaiting);
    return {};
  });
}

async function findWrong(trx: Trx, schoolId: number, said: WaitingArchive, given: Readonly<Record<string, string>>) {
  const wrong: Record<string, string> = {};
  if (given.person !== undefined && given.person !== NOBODY_ANSWER && !archivedAdministratorOf(said))
    wrong['answers.person'] = archiveTexts.choosePerson;
  for (const { key, about } of await findQuestions(trx, schoolId, said))
    if (given[key] !== undefined && about !== 'person')
      wrong[`answers.${key}`] = about === 'username' ? texts.usernameTaken : texts.emailTaken;
  for (const [about, schema] of Object.entries(ASKED))
    for (const key of Object.keys(given).filter((name) => name.startsWith(`${about}_`))) {
      const { error } = schema.safeParse(given[key]);
      if (error) wrong[`answers.${key}`] = error.issues[0]?.message ?? texts.unexpected;
    }
  return wrong;
}
