import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { usernameKey } from '../../people/username.ts';
import { isPowerful } from '../../power.ts';
import type { PersonRecord } from '../records.ts';
import { type Plan, type PlanContext, Planning } from './plan.ts';

/** A person is known by email, or by the username that the file has, and stays as they are. */
export async function planPeople(db: Db | Trx, context: PlanContext, records: PersonRecord[]): Promise<Plan<'people'>> {
  const plan = new Planning<'people'>(context);
  const { byName, byEmail } = await findKnown(db, context.schoolId, records);
  const former = await findFormer(db, context.schoolId);
  const rows = new Map<string, number>();
  for (const record of records) {
    if (record.isFormer) {
      planFormer(plan, record, former, rows);
      continue;
    }
    const { row, role, isUsernameMade } = record;
    const email = emailKey(record.email);
    const addressed = byEmail.get(email);
    const isNamesake = isUsernameMade && byName.has(usernameKey(record.username)) && !addressed;
    const username = isNamesake ? record.email : record.username;
    const name = usernameKey(username);
    const first = rows.get(`name ${name}`) ?? rows.get(`email ${email}`);
    const named = isUsernameMade && addressed ? addressed : byName.get(name);
    const there = named ?? addressed;
    rows.set(`name ${name}`, row);
    rows.set(`email ${email}`, row);
    if (first !== undefined) plan.refuse(row, 'username', `The username or email stands in row ${first}, too.`);
    else if (named && named.schoolId !== context.schoolId)
      plan.refuse(row, 'username', `The username ${username} is taken.`);
    else if (named && addressed && named.id !== addressed.id)
      plan.refuse(row, 'email', `${record.email} is the email of ${addressed.username}, not of ${username}.`);
    else if (there) {
      const isOther = there.role !== role && context.headingOf('role') !== null;
      const roles = { field: 'role', label: 'the role', here: there.role, inFile: role };
      plan.foundThere(row, () => there.username, isOther ? [roles] : []);
    } else if (isPowerful(role) && plan.doubt('administrators', row, 'role', ADMINISTRATOR)) continue;
    else {
      if (isNamesake) plan.remark(row, 'email', `${record.username} is taken: the username will be ${username}.`);
      plan.added.push({ ...record, username });
    }
  }
  return plan;
}

/** Somebody who left is known by address, else by name among those who left. */
function planFormer(
  plan: Planning<'people'>,
  record: PersonRecord,
  former: Set<string>,
  rows: Map<string, number>,
): void {
  const key = formerKey(record);
  const first = rows.get(key);
  rows.set(key, record.row);
  if (former.has(key)) plan.foundThere(record.row, () => record.name ?? record.username);
  else if (first !== undefined) plan.refuse(record.row, 'name', `The same person stands in row ${first}, too.`);
  else plan.added.push(record);
}

const formerKey = ({ email, name, username }: Pick<PersonRecord, 'email' | 'name' | 'username'>) =>
  `former ${email === '' ? usernameKey(name ?? username) : emailKey(email)}`;

async function findFormer(db: Db | Trx, schoolId: number): Promise<Set<string>> {
  const people = await db
    .selectFrom('users')
    .select(['username', 'name', 'email'])
    .where('school_id', '=', schoolId)
    .where('deleted_at', 'is not', null)
    .execute();
  return new Set(people.map(formerKey));
}

const ADMINISTRATOR = "Administrators are imported only where that is ticked: 'Import administrators, too'.";

function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** Usernames are those of the whole installation. */
async function findKnown(db: Db | Trx, schoolId: number, records: PersonRecord[]) {
  const names = records.flatMap(({ username, email, isUsernameMade }) =>
    [username, ...(isUsernameMade ? [email] : [])].map(usernameKey),
  );
  const users = await db
    .selectFrom('users')
    .select(['id', 'username', 'username_key', 'email', 'role', 'school_id as schoolId'])
    .where('deleted_at', 'is', null)
    .where(({ or, eb }) => or([eb('school_id', '=', schoolId), eb('username_key', '=', sql<string>`any(${names})`)]))
    .execute();
  const ofSchool = users.filter((user) => user.schoolId === schoolId);
  return {
    byName: new Map(users.map((user) => [user.username_key, user])),
    byEmail: new Map(ofSchool.map((user) => [emailKey(user.email), user])),
  };
}
