import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Trx } from '#db/connect.server.ts';
import { alertToNewAdministrator } from '../../audit/alerts.server.ts';
import { emailInputSchema, usernameInputSchema, changeOwnNameSchema } from '../../people/schema.server.ts';
import { usernameKey } from '../../people/username.ts';
import { isPowerful } from '../../power.ts';
import { USUAL_ROLE } from '../../roles.ts';
import { texts } from '../../texts.ts';
import {
  differencesFrom,
  fact,
  type Facts,
  type FactKind,
  TEXT_FACT_KIND,
  toTextOrEmpty,
} from '../plan/facts.server.ts';
import { type Plan, type PlanContext, PlanBuilder } from '../plan/plan.ts';
import type { PersonRecord } from '../records.ts';
import { parseFlag, parseIsFormer, parseRole } from '../values/known-words.ts';
import { parseMoment } from '../values/moments.ts';
import type { RowReader } from '../values/row-reader.ts';
import { assertFewMails, invitePeople } from '../write/invite-people.server.ts';
import { addRecords, type WriteContext } from '../write/write-records.server.ts';

/** It takes the address out of 'mailto:anna@club.example' and 'Anna Weber <anna@club.example>'. */
const emailSchema = z
  .string()
  .transform((text) => /<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.replace(/^mailto:/i, ''))
  .pipe(emailInputSchema(texts.emailInvalid));
const FORMER = 'comes as a former person: their flights count, and they sign in no more.';
const nameSchema = changeOwnNameSchema.shape.name;

export function peopleParser() {
  const usernames = new Set<string>();

  return (row: RowReader): PersonRecord | undefined => {
    const name = readName(row);
    const hasNoAddress = row.isEmpty('email') && name !== null;
    const email = hasNoAddress ? '' : row.checked('email', emailSchema);
    const said = row.parsed('role', (text) => parseRole(text, (word) => row.meaning('role', word))) ?? USUAL_ROLE;
    const leftBy = fieldOfLeaving(row);
    const isUsernameMade = row.isEmpty('username');
    const username = isUsernameMade ? derive(name, email) : row.checked('username', usernameInputSchema);
    if (email === undefined || username === undefined) return undefined;
    const isFormer = leftBy !== undefined || said === 'former' || hasNoAddress;
    if (leftBy !== undefined || said === 'former') row.remark(leftBy ?? 'role', `${name ?? username} ${FORMER}`);
    else if (hasNoAddress) row.remark('email', `${name} has no address, and ${FORMER}`);
    if (!isFormer) usernames.add(usernameKey(username));
    const role = said === 'former' ? USUAL_ROLE : said;
    const isRoleMade = row.isEmpty('role') || said === 'former';
    return { row: row.row, username, isFormer, isUsernameMade, isRoleMade, name, email, role };
  };

  /** 'anna.weber' of 'Anna Weber'; the address where another row has that already. */
  function derive(name: string | null, email = ''): string {
    const username = (name ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, '.')
      .replace(/^\.|\.$/g, '');
    return username === '' || usernames.has(usernameKey(username)) ? email : username;
  }
}

function fieldOfLeaving(row: RowReader): string | undefined {
  const status = row.parsed('status', (text) => parseIsFormer(text, (word) => row.meaning('status', word)));
  const active = row.parsed('active', parseFlag);
  const left = row.parsed('left', parseFlag);
  const leftOn = row.parsed('leftOn', parseMoment)?.day;
  if (status) return 'status';
  if (active === false) return 'active';
  if (left) return 'left';
  return leftOn !== undefined && leftOn <= row.now.toISOString().slice(0, 10) ? 'leftOn' : undefined;
}

function readName(row: RowReader): string | null {
  if (!row.has('firstName') && !row.has('lastName')) return row.checked('name', nameSchema) ?? null;
  const parts = ['firstName', 'lastName']
    .filter((field) => row.has(field))
    .map((field) => row.checked(field, nameSchema));
  return parts.filter(Boolean).join(' ') || null;
}

const withSchool = (username: string, schoolId: number) => `${username}.${schoolId}`;

/** A person is known by email, or by the username that the file has, and stays as they are. */
export async function planPeople(db: Db | Trx, context: PlanContext, records: PersonRecord[]): Promise<Plan<'people'>> {
  const plan = new PlanBuilder<'people'>(context);
  const { byName, byShownName, byEmail, former } = await findKnown(db, context.schoolId, records);
  for (const record of records) {
    const { row, role, isFormer, isUsernameMade } = record;
    const email = emailKey(record.email);
    const addressed = byEmail.get(email);
    const foundThere = (there: { username: string }, status: string) =>
      plan.foundThere(row, () => there.username, differencesFrom(PERSON_FACTS, { ...there, status }, record, context));
    if (isFormer) {
      const key = formerKey(record);
      const first = plan.firstWith(key, row);
      const left = former.get(key);
      if (left) foundThere(left, 'former');
      else if (addressed) foundThere(addressed, 'active');
      else if (first !== undefined) plan.refuse(row, 'name', `The same person stands in row ${first}, too.`);
      else {
        const namesake = record.email === '' && byShownName.get(usernameKey(record.name ?? ''));
        if (namesake) plan.remark(row, 'name', `${namesake} is called so, too: this row is another person.`);
        plan.added.push(record);
      }
      continue;
    }
    const isNamesake = isUsernameMade && byName.has(usernameKey(record.username)) && !addressed;
    const others = [record.email, withSchool(record.username, context.schoolId)];
    const username = isNamesake
      ? (others.find((one) => !byName.has(usernameKey(one))) ?? record.email)
      : record.username;
    const name = usernameKey(username);
    const [sameName, sameEmail] = [plan.firstWith(`name ${name}`, row), plan.firstWith(`email ${email}`, row)];
    const first = sameName ?? sameEmail;
    const named = isUsernameMade && addressed ? addressed : byName.get(name);
    const there = named ?? addressed;
    if (first !== undefined) plan.refuse(row, 'username', `The username or email stands in row ${first}, too.`);
    else if (named && named.schoolId !== context.schoolId)
      plan.refuse(row, 'username', `The username ${username} is taken.`);
    else if (named && addressed && named.id !== addressed.id)
      plan.refuse(row, 'email', `${record.email} is the email of ${addressed.username}, not of ${username}.`);
    else if (there) foundThere(there, 'active');
    else if (isPowerful(role) && plan.doubt('administrators', row, 'role', ADMINISTRATOR)) continue;
    else {
      if (isNamesake) plan.remark(row, 'email', `${record.username} is taken: the username will be ${username}.`);
      plan.added.push({ ...record, username });
    }
  }
  return plan;
}

const NAME: FactKind = { plain: (value) => usernameKey(toTextOrEmpty(value)), none: 'none' };

const PERSON_FACTS: Facts<PersonRecord> = {
  username: fact(NAME, 'username', 'the username', ({ username, isUsernameMade }) =>
    isUsernameMade ? undefined : username,
  ),
  email: fact(NAME, 'email', 'the email', ({ email }) => email || undefined),
  name: fact(TEXT_FACT_KIND, 'name', 'the name', ({ name }) => name ?? undefined),
  role: fact(TEXT_FACT_KIND, 'role', 'the role', ({ role, isRoleMade }) => (isRoleMade ? undefined : role)),
  status: fact(TEXT_FACT_KIND, 'status', 'the status', ({ isFormer }) => (isFormer ? 'former' : 'active')),
};

const ADMINISTRATOR = "Administrators are imported only where that is ticked: 'Import administrators, too'.";

/** Somebody who left is known by address, else by name among those who left. */
const formerKey = ({ email, name, username }: Pick<PersonRecord, 'email' | 'name' | 'username'>) =>
  `former ${email === '' ? usernameKey(name ?? username) : emailKey(email)}`;

const emailKey = (email: string) => email.trim().toLowerCase();

/** Usernames are those of the whole installation. */
async function findKnown(db: Db | Trx, schoolId: number, records: PersonRecord[]) {
  const names = records.flatMap(({ username, email, isUsernameMade }) =>
    [username, ...(isUsernameMade ? [email, withSchool(username, schoolId)] : [])].map(usernameKey),
  );
  const users = await db
    .selectFrom('users')
    .select(['id', 'username', 'username_key', 'email', 'name', 'role', 'school_id as schoolId', 'deleted_at'])
    .where(({ or, and, eb }) =>
      or([
        eb('school_id', '=', schoolId),
        and([eb('username_key', '=', sql<string>`any(${names})`), eb('deleted_at', 'is', null)]),
      ]),
    )
    .execute();
  const isPresent = ({ deleted_at }: { deleted_at: Date | null }) => deleted_at === null;
  const ofSchool = users.filter((user) => user.schoolId === schoolId);
  return {
    byName: new Map(users.filter(isPresent).map((user) => [user.username_key, user])),
    byShownName: new Map(ofSchool.filter(isPresent).map((user) => [usernameKey(user.name ?? ''), user.username])),
    byEmail: new Map(ofSchool.filter(isPresent).map((user) => [emailKey(user.email), user])),
    former: new Map(ofSchool.filter((user) => !isPresent(user)).map((user) => [formerKey(user), user])),
  };
}

/** Users with a password that nobody knows: each needs a link to choose one, sent now or later by an administrator. */
export async function writePeople(context: WriteContext, { added }: Plan<'people'>): Promise<void> {
  const { trx, schoolId, passwordHash, options } = context;
  if (options.sendInvitations) await assertFewMails(context, added.filter(({ isFormer }) => !isFormer).length);
  const now = new Date();
  const toColumns = ({ username, name, email, role, isFormer }: PersonRecord) => ({
    ...{ username, username_key: usernameKey(username), name, email, role },
    ...(isFormer ? { password_hash: null, deleted_at: now } : { password_hash: passwordHash, deleted_at: null }),
  });
  // Who had left before the import was not deleted after it.
  const people = await addRecords(context, 'users', added, toColumns, ({ isFormer }) =>
    isFormer ? { former: true } : undefined,
  );
  const present = people.filter(({ isFormer }) => !isFormer);
  if (options.sendInvitations) await invitePeople(context, present);
  for (const person of present) await alertToNewAdministrator(trx, schoolId, person);
}
