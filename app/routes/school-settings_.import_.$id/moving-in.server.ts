import { redirect } from '@remix-run/node';
import type { Member } from '#app/domain/actor.ts';
import {
  answerMovingIn,
  findQuestions,
  type MovingInQuestion,
  NOBODY_ANSWER,
  archivedAdministratorOf,
  requireWaitingArchive,
  type WaitingArchive,
} from '#app/domain/archive/waiting-archive.server.ts';
import type { ArchivedPerson } from '#app/domain/archive/taken-names.server.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import type { StoredImport } from '#app/domain/imports/queries.server.ts';
import type { ImportFormInput } from '#app/domain/imports/schema.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';

/** Loads what an export of a whole school holds, and what is to be said before it moves in. */
export async function loadMovingIn(actor: Member, id: number) {
  const waiting = await requireWaitingArchive(db, actor.schoolId, id);
  const questions = await findQuestions(db, actor.schoolId, waiting);
  const { school, exportedAt, tables, answers } = waiting;
  return {
    school,
    exportedAt: formatDateTime(exportedAt, actor.timeZone),
    counts: COUNTED.map(([table, label]) => ({ label, rows: tables[table] ?? 0 })),
    you: answers.person === undefined ? undefined : (archivedAdministratorOf(waiting)?.username ?? 'nobody of them'),
    questions: questions.map((question) => toField(question, waiting)),
    proposed: { person: proposedPerson(actor, waiting) },
  };
}

const COUNTED = [
  ['users', 'People'],
  ['aircraft', 'Aircraft'],
  ['flight_logs', 'Flights'],
  ['squawks', 'Squawks'],
  ['inspections', 'Inspections'],
  ['photos', 'Photos'],
  ['audit_entries', 'Events'],
] as const;

function toField({ key, about, person }: MovingInQuestion, { people }: WaitingArchive) {
  if (!person) {
    const options = people.map((one) => ({ value: String(one.id), label: `${nameOf(one)}, ${one.role}` }));
    const text = 'Who of the file are you? What they did there is yours from then on.';
    return { key, text, options: [...options, { value: NOBODY_ANSWER, label: 'Nobody of them' }] };
  }
  const text =
    about === 'username'
      ? `The username ${person.username} is taken here. Which one does ${nameOf(person)} get?`
      : `You have the address ${person.email}, too. What is the address of ${nameOf(person)}?`;
  return { key, text, options: [] };
}

const nameOf = ({ username, name }: ArchivedPerson) => (name === null ? username : `${name} (${username})`);

/** Who has the same address, or the same username, is chosen beforehand. */
function proposedPerson({ username, email }: Member, { people }: WaitingArchive): string {
  const person =
    people.find((one) => one.email.toLowerCase() === email.toLowerCase()) ??
    people.find((one) => one.username === username);
  return person ? String(person.id) : '';
}

/** What else the form of a file does is the same here: it imports, and removes the file. */
export const MOVING_IN_HANDLERS = {
  answer: async (actor: Member, { id }: StoredImport, input: ImportFormInput, key: string | undefined) => {
    await answerMovingIn(db, actor, id, input.answers ?? {}, key);
    return redirect(paths.import(id), 303);
  },
  check: async (actor: Member, { id }: StoredImport, _input: ImportFormInput, key: string | undefined) => {
    await answerMovingIn(db, actor, id, null, key);
    return redirect(paths.import(id), 303);
  },
};
