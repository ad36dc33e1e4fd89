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
import { readArchivedRows, type ArchivedRow } from './archived-rows.server.ts';
import { archivedTextSchema } from './manifest.server.ts';
import type { OpenArchive } from './open-archive.server.ts';
import { archiveTexts } from './schema.server.ts';

export const archivedPersonSchema = z.object({
  id: z.int(),
  username: archivedTextSchema,
  name: archivedTextSchema.nullish().default(null),
  email: archivedTextSchema,
  role: z.enum(ROLES),
});

export type ArchivedPerson = z.infer<typeof archivedPersonSchema>;

/** What people of an export are called here, by the id that they have there. */
export type OtherNames = ReadonlyMap<number, { username?: string | undefined; email?: string | undefined }>;

const userRow = archivedPersonSchema.extend({ deleted_at: z.string().nullish() });

/** Finds those who would sign in. Throws 'invalid' where they are more than `limit`. */
export async function readArchivedPeople(archive: OpenArchive, limit = Infinity): Promise<ArchivedPerson[]> {
  const people: ArchivedPerson[] = [];
  for await (const { values } of readArchivedRows(archive, 'users')) {
    const { deleted_at, ...person } = userRow.parse(values);
    if (!deleted_at) people.push(person);
    if (people.length > limit) throw new AppError('invalid', archiveTexts.tooManyPeople);
  }
  return people;
}

/** Finds whose username somebody of the installation has, and whose address somebody of the school. */
export async function findTakenNames(
  db: Db | Trx,
  people: ArchivedPerson[],
  others: OtherNames,
  schoolId: number | null,
): Promise<{ username: ArchivedPerson[]; email: ArchivedPerson[] }> {
  const keyOf = ({ id, username }: ArchivedPerson) => usernameKey(others.get(id)?.username ?? username);
  const addressOf = ({ id, email }: ArchivedPerson) => (others.get(id)?.email ?? email).toLowerCase();
  const living = db.selectFrom('users').where('deleted_at', 'is', null);
  const keys = await living
    .select('username_key as text')
    .where(sql<boolean>`username_key = any(${people.map(keyOf)}::text[])`)
    .execute();
  const addresses = await living.select('email as text').where('school_id', '=', schoolId).execute();
  return { username: takenOf(people, keyOf, keys), email: takenOf(people, addressOf, addresses) };
}

function takenOf(people: ArchivedPerson[], wantedBy: (person: ArchivedPerson) => string, here: { text: string }[]) {
  const taken = new Set(here.map(({ text }) => text.toLowerCase()));
  return people.filter((person) => taken.size === taken.add(wantedBy(person)).size);
}

/** Somebody here has a username or an address of the export: each is told, and asked for. */
export class NamesTakenError extends AppError {
  constructor({ username, email }: Awaited<ReturnType<typeof findTakenNames>>) {
    const named = (people: ArchivedPerson[]) => people.map((person) => person.username);
    const names = JSON.stringify(Object.fromEntries(named(username).map((name) => [name, ''])));
    const usernames = `Other usernames are needed, since these are taken here: ${named(username).join(', ')}. Nothing was imported. Say them with --usernames '${names}'.`;
    super('conflict', username.length > 0 ? usernames : `Other addresses are needed for ${named(email).join(', ')}.`);
  }
}

/** The usernames that were said for those of an export. Throws 'invalid' for one that is none, or of nobody. */
export function parseOtherUsernames(people: ArchivedPerson[], said: ReadonlyMap<string, string>): OtherNames {
  const others = [...said].map(([name, username]) => {
    const person = people.find((one) => one.username === name);
    if (!person) throw new AppError('invalid', `Nobody of the export is called '${name}'.`);
    const { error } = usernameInputSchema.safeParse(username);
    if (error) throw new AppError('invalid', `'${username}' is no username: ${error.issues[0]?.message}.`);
    return [person.id, { username: username.trim() }] as const;
  });
  return new Map(others);
}

const oneLine = singleLineInputSchema(texts.usernameRequired, MAX_SIGN_IN_USERNAME_CHARACTERS);

/** What a living person has in other words here. Throws a ZodError for an address that is none. */
export function toUserNameColumns({ values }: ArchivedRow, others: OtherNames): Record<string, string> {
  const { id, deleted_at, ...before } = userRow.parse(values);
  if (deleted_at) return {};
  const { username = oneLine.parse(before.username), email = before.email } = others.get(id) ?? {};
  const address = emailInputSchema(`${texts.emailInvalid}: ${email}`).parse(email);
  return { username, username_key: usernameKey(username), email: address };
}
