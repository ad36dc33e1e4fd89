import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Db, Trx } from '#db/connect.server.ts';
import { MAX_UPLOADED_PEOPLE, MOVING_IN_QUESTIONS, UPLOAD_PIECE_BYTES, UPLOADED_ARCHIVE_LIMITS } from '#app/limits.ts';
import { withoutWaitingBudget } from '#db/waiting-budget.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { unplanned, toStoredPreview } from '../imports/import-preview.server.ts';
import { importTexts } from '../imports/import-texts.server.ts';
import { updateImport } from '../imports/queries.server.ts';
import { assertRoomForImport } from '../imports/upload-import.server.ts';
import { emailInputSchema, usernameInputSchema } from '../people/schema.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { lockSchool } from '../school/queries.server.ts';
import { texts } from '../texts.ts';
import { workbookQueue } from '../turns/queues.server.ts';
import { insertPieces } from './archive-pieces.server.ts';
import { assertNothingRecorded } from './assert-nothing-recorded.server.ts';
import { toFileFault } from './file-faults.server.ts';
import { openArchive, type OpenArchive } from './open-archive.server.ts';
import { archiveTexts } from './schema.server.ts';
import { type ArchivedPerson, findArchivedPeople, findTakenNames } from './taken-names.server.ts';

/** A zip that was uploaded and lies on the disk. */
export interface ArchiveFile {
  name: string;
  descriptor: number;
  pieces(bytes: number): AsyncGenerator<Buffer, void>;
}

const personSchema = z.object({
  id: z.int(),
  username: z.string(),
  name: z.string().nullable(),
  email: z.string(),
  role: z.string(),
}) satisfies z.ZodType<ArchivedPerson>;

const namesSchema = z.array(z.tuple([z.string(), z.string()])).transform((names) => new Map(names));

/** What an archive holds that waits, and what its administrator has said. */
const waitingArchiveSchema = z.object({
  school: z.string(),
  exportedAt: z.iso.datetime(),
  tables: z.record(z.string(), z.int()),
  people: z.array(personSchema),
  /** The username there of the administrator who moves in; null for nobody, absent until it is said. */
  isPerson: z.string().nullable().optional(),
  usernames: namesSchema,
  emails: namesSchema,
});

export type WaitingArchive = z.infer<typeof waitingArchiveSchema>;

/**
 * Keeps an export of a whole school, to move into this one. Throws 'invalid' for what is none, 'conflict' where the school
 * has anything yet but its administrator, 'unavailable' as the queue of workbooks does.
 */
export function uploadArchive(db: Db, member: Member, file: ArchiveFile, key?: string): Promise<{ id: number }> {
  // It is large: it takes what it takes to be kept.
  return withoutWaitingBudget(async () => {
    const { described, hash } = await workbookQueue.run([String(member.schoolId)], () => prove(file));
    const rows = Object.values(described.tables).reduce((sum, count) => sum + count, 0);
    const { schoolId } = member;
    const request = { key, operation: 'upload import', input: { hash, name: file.name }, givesPower: () => false };
    const lockFirst = (trx: Trx) => lockSchool(trx, schoolId);
    return runOperation(db, { actor: member, can: 'manage school', lockFirst, ...request }, async (trx) => {
      await assertNothingRecorded(trx, schoolId);
      await assertRoomForImport(trx, schoolId);
      await assertNoneWaits(trx, schoolId);
      const { id } = await trx
        .insertInto('imports')
        .values({
          ...{ school_id: schoolId, user_id: member.id, kind: 'all', file_name: file.name, file_hash: hash },
          ...{ content: Buffer.alloc(0), archive: JSON.stringify(described) },
          ...toStoredPreview({ ...unplanned(rows), added: rows }),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await trx.insertInto('import_progress').values({ school_id: schoolId, import_id: id }).execute();
      await insertPieces(trx, { schoolId, id }, file.pieces(UPLOAD_PIECE_BYTES));
      return { id };
    });
  });
}

/** Inflates and hashes it, as much as it is. */
async function prove(file: ArchiveFile) {
  const archive = await openArchive(file.descriptor, UPLOADED_ARCHIVE_LIMITS);
  const described = await describe(archive)
    .catch((error: unknown) => {
      throw toFileFault(error);
    })
    .finally(() => archive.close());
  return { described, hash: await hashOf(file.pieces(UPLOAD_PIECE_BYTES)) };
}

/** One is large, and a school needs no other. */
async function assertNoneWaits(trx: Trx, schoolId: number): Promise<void> {
  const waiting = trx.selectFrom('import_pieces').select('place').where('school_id', '=', schoolId).limit(1);
  if (await waiting.executeTakeFirst()) throw new AppError('conflict', archiveTexts.oneWaits);
}

async function describe(archive: OpenArchive): Promise<z.input<typeof waitingArchiveSchema>> {
  const { school, exportedAt, tables } = archive.manifest;
  const rows = Object.entries(tables).map(([table, { rows }]) => [table, rows] as const);
  const people = await findArchivedPeople(archive, MAX_UPLOADED_PEOPLE);
  return { school: school.name, exportedAt, tables: Object.fromEntries(rows), people, usernames: [], emails: [] };
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

export interface MovingInQuestions {
  /** True until it is said who of the export the administrator is. */
  isPersonOpen: boolean;
  /** People whose username, or address, is taken here; of many the first. */
  usernames: ArchivedPerson[];
  emails: ArchivedPerson[];
}

/** Finds what is not said yet: first who the administrator is, then what others are called. */
export async function findQuestions(
  db: Db | Trx,
  schoolId: number,
  waiting: WaitingArchive,
): Promise<MovingInQuestions> {
  const { isPerson, people } = waiting;
  if (isPerson === undefined) return { isPersonOpen: true, usernames: [], emails: [] };
  const others = people.filter(({ username }) => username !== isPerson);
  const taken = await findTakenNames(db, others, waiting, schoolId);
  const first = (names: string[]) =>
    people.filter(({ username }) => names.includes(username)).slice(0, MOVING_IN_QUESTIONS);
  return { isPersonOpen: false, usernames: first(taken.usernames), emails: first(taken.emails) };
}

/** What is said, by what it is about: 'person', and 'username' or 'email' with the id that somebody has in the export. */
export type MovingInAnswers = Readonly<Record<string, string>>;

export const answerKey = (about: 'username' | 'email', { id }: { id: number }) => `${about}_${id}`;

export const NOBODY = 'nobody';

/**
 * Notes what an administrator says of an export that waits; `null` forgets all that was said. Throws 'conflict' once it is
 * imported, and 'invalid' with the fields of names that are none, or are taken, too.
 */
export function answerMovingIn(
  db: Db,
  member: Member,
  id: number,
  answers: MovingInAnswers | null,
  key?: string,
): Promise<object> {
  const { schoolId } = member;
  const request = { key, operation: `change import ${id}`, input: answers };
  return runOperation(db, { actor: member, can: 'manage school', ...request }, async (trx) => {
    const waiting = await requireWaitingArchive(trx, schoolId, id);
    const said = withAnswers(waiting, answers);
    if (answers !== null) await assertNotTaken(trx, schoolId, said, answers);
    const { usernames, emails, ...rest } = said;
    const archive = JSON.stringify({ ...rest, usernames: [...usernames], emails: [...emails] });
    const changed = await updateImport(trx, { schoolId, id })
      .set({ archive, failure: null })
      .where('requested', 'is', null)
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw new AppError('conflict', importTexts.notWaiting);
    return {};
  });
}

/** Names are asked for anew once somebody is said to be another. */
function withAnswers(waiting: WaitingArchive, answers: MovingInAnswers | null): WaitingArchive {
  const { people } = waiting;
  const nothing = { usernames: new Map<string, string>(), emails: new Map<string, string>() };
  if (answers === null) return { ...waiting, ...nothing, isPerson: undefined };
  if (answers.person !== undefined) {
    const person = people.find(({ id }) => String(id) === answers.person);
    if (!person && answers.person !== NOBODY)
      throw new AppError('invalid', archiveTexts.choosePerson).onField('answers.person');
    return { ...waiting, ...nothing, isPerson: person?.username ?? null };
  }
  const usernames = new Map(waiting.usernames);
  const emails = new Map(waiting.emails);
  const wrong: Record<string, string> = {};
  const read = (key: string, schema: z.ZodType<string>) => {
    if (answers[key] === undefined) return undefined;
    const { data, error } = schema.safeParse(answers[key]);
    if (error) wrong[`answers.${key}`] = error.issues[0]?.message ?? texts.unexpected;
    return data;
  };
  for (const person of people) {
    const username = read(answerKey('username', person), usernameInputSchema);
    const email = read(answerKey('email', person), emailInputSchema(texts.emailInvalid));
    if (username !== undefined) usernames.set(person.username, username);
    if (email !== undefined) emails.set(person.username, email);
  }
  if (Object.keys(wrong).length > 0) throw new AppError('invalid', importTexts.questionsOpen, wrong);
  return { ...waiting, usernames, emails };
}

async function assertNotTaken(trx: Trx, schoolId: number, said: WaitingArchive, answers: MovingInAnswers) {
  const open = await findQuestions(trx, schoolId, said);
  const taken = {
    ...takenFields('username', open.usernames, answers, texts.usernameTaken),
    ...takenFields('email', open.emails, answers, texts.emailTaken),
  };
  if (Object.keys(taken).length > 0) throw new AppError('conflict', importTexts.questionsOpen, taken);
}

function takenFields(about: 'username' | 'email', open: ArchivedPerson[], answers: MovingInAnswers, text: string) {
  const keys = open.map((person) => answerKey(about, person)).filter((key) => answers[key] !== undefined);
  return Object.fromEntries(keys.map((key) => [`answers.${key}`, text]));
}
