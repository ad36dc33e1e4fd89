import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Trx } from '#db/connect.server.ts';
import { ROLES } from '#db/roles.ts';
import { MAX_SIGN_IN_USERNAME_CHARACTERS } from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { singleLineInputSchema } from '../field-schemas.server.ts';
import { emailInputSchema, usernameInputSchema } from '../people/schema.server.ts';
import { usernameKey } from '../people/username.ts';
import { texts } from '../texts.ts';
import { archivedRows, type ArchivedRow } from './archived-rows.server.ts';
import { archivedTextSchema } from './manifest.server.ts';
import type { OpenArchive } from './open-archive.server.ts';
import { archiveTexts } from './schema.server.ts';

/** Somebody of an export who is no former person. */
export interface ArchivedPerson {
  id: number;
  username: string;
  name: string | null;
  email: string;
  role: string;
}

/** What people of an export are called here, by the username that they have there. */
export interface OtherNames {
  usernames: ReadonlyMap<string, string>;
  emails: ReadonlyMap<string, string>;
}

export const NO_OTHER_NAMES: OtherNames = { usernames: new Map(), emails: new Map() };

const userRow = z.looseObject({
  id: z.int(),
  username: archivedTextSchema,
  name: archivedTextSchema.nullish().default(null),
  email: archivedTextSchema,
  role: z.enum(ROLES),
  deleted_at: z.string().nullish(),
});

/** Finds those who would sign in. Throws 'invalid' where they are more than `limit`. */
export async function findArchivedPeople(archive: OpenArchive, limit = Infinity): Promise<ArchivedPerson[]> {
  const people: ArchivedPerson[] = [];
  for await (const { values } of archivedRows(archive, 'users')) {
    const { id, username, name, email, role, deleted_at } = userRow.parse(values);
    if (!deleted_at) people.push({ id, username, name, email, role });
    if (people.length > limit) throw new AppError('invalid', archiveTexts.tooManyPeople);
  }
  return people;
}

/** Finds whose username somebody of the installation has, and whose address somebody of the school. */
export async function findTakenNames(
  db: Db | Trx,
  people: ArchivedPerson[],
  { usernames, emails }: OtherNames,
  schoolId: number | null,
): Promise<{ usernames: string[]; emails: string[] }> {
  const named = people.map(({ username, email }) => ({
    username,
    key: usernameKey(usernames.get(username) ?? username),
    address: (emails.get(username) ?? email).toLowerCase(),
  }));
  const living = db.selectFrom('users').where('deleted_at', 'is', null);
  const keys = await living
    .select('username_key as text')
    .where(sql<boolean>`username_key = any(${named.map(({ key }) => key)}::text[])`)
    .execute();
  const addresses = await living.select('email as text').where('school_id', '=', schoolId).execute();
  return {
    usernames: takenOf(named, ({ key }) => key, keys),
    emails: takenOf(named, ({ address }) => address, addresses),
  };
}

interface Named {
  username: string;
}

/** Of several of an export who want the same, the first one has it. */
function takenOf<One extends Named>(named: One[], wantedBy: (one: One) => string, here: { text: string }[]): string[] {
  const taken = new Set(here.map(({ text }) => text.toLowerCase()));
  return named.flatMap((one) => {
    const isTaken = taken.has(wantedBy(one));
    taken.add(wantedBy(one));
    return isTaken ? [one.username] : [];
  });
}

/** Somebody here has a username or an address of the export: each is told, and asked for. */
export class NamesTaken extends AppError {
  constructor({ usernames, emails }: { usernames: string[]; emails: string[] }) {
    const names = JSON.stringify(Object.fromEntries(usernames.map((name) => [name, ''])));
    const others = `Other usernames are needed, since these are taken here: ${usernames.join(', ')}. Nothing was imported. Say them with --usernames '${names}'.`;
    super('conflict', usernames.length > 0 ? others : `Other addresses are needed for ${emails.join(', ')}.`);
  }
}

/**
 * Proves that all people of an export can have their names here. Throws NamesTaken for those that were not given another,
 * 'invalid' for another that is none, or of nobody.
 */
export async function assertNamesFree(
  trx: Trx,
  people: ArchivedPerson[],
  others: OtherNames,
  schoolId: number | null,
): Promise<void> {
  const names = new Set(people.map(({ username }) => username));
  for (const [name, other] of others.usernames) {
    if (!names.has(name)) throw new AppError('invalid', `Nobody of the export is called '${name}'.`);
    const { success, error } = usernameInputSchema.safeParse(other);
    if (!success) throw new AppError('invalid', `'${other}' is no username: ${error.issues[0]?.message}.`);
  }
  const taken = await findTakenNames(trx, people, others, schoolId);
  if (taken.usernames.length + taken.emails.length > 0) throw new NamesTaken(taken);
}

const oneLine = singleLineInputSchema(texts.usernameRequired, MAX_SIGN_IN_USERNAME_CHARACTERS);

/** What a living person has in other words here. Throws 'invalid' for an address that is none. */
export function namesHere({ values }: ArchivedRow, { usernames, emails }: OtherNames): Record<string, string> {
  const { username: before, email: address, deleted_at } = userRow.parse(values);
  if (deleted_at) return {};
  const username = usernames.get(before)?.trim() ?? oneLine.parse(before);
  const email = emailInputSchema(`${texts.emailInvalid}: ${address}`).parse(emails.get(before) ?? address);
  return { username, username_key: usernameKey(username), email };
}
