import type { Db } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import type { Answer } from '../answers.ts';
import { cookieOf } from '../requests.ts';
import { answerTo } from '../routes.ts';
import { drawn } from '../drawn.ts';
import { makeSchool, makeUser } from '../school.ts';
import { MARKER } from '../second-school/marker.ts';
import { watchChanges } from '../stored-changes.ts';
import { takesAll } from '../takes-all.ts';
import { MALFORMED_IDS, type MatrixCell, MISSING_ID } from './cells.ts';

/** What one cell of the matrix came to, for one id. */
export interface Outcome {
  id: string;
  answer: Answer;
  /** The tables whose rows are no longer what they were; sessions and drafts aside. */
  changed: string[];
}

/** Sends a cell's request as its caller, anew for every id it stands for. */
export async function cellRunner(db: Db): Promise<(cell: MatrixCell) => Promise<Outcome[]>> {
  const schoolId = await makeSchool(db);
  const otherSchoolId = await makeSchool(db, { name: MARKER, address: MARKER, phone: MARKER });
  const changes = await watchChanges(db);
  const shared = new Map<Role, Promise<Member>>();
  let foreigners = 0;

  const newUser = (role: Role) => makeUser(db, schoolId, role);
  const sharedUser = (role: Role) => {
    const user = shared.get(role) ?? newUser(role);
    shared.set(role, user);
    return user;
  };
  const foreigner = () => makeUser(db, otherSchoolId, 'student', `${MARKER}-${(foreigners += 1)}`);

  async function idsFor({ row, idKind, title, expected }: MatrixCell, caller: Member | undefined): Promise<string[]> {
    if (!row.id) return [''];
    // A row has four or eight such cells, and each run draws others.
    if (idKind === 'malformed') return drawn(MALFORMED_IDS, 2, title);
    if (idKind === 'missing') return [MISSING_ID];
    // The role is refused before the record is looked for.
    if (!takesAll && expected === 403 && idKind === 'own') return [MISSING_ID];
    const make = (idKind === 'conflicting' && row.id.conflicting) || row.id.own;
    const own = idKind === 'own' || idKind === 'conflicting' ? caller : undefined;
    const owner = idKind === 'foreign' ? await foreigner() : (own ?? (await newUser('student')));
    return [String(await make(owner))];
  }

  return async (cell) => {
    const { caller: role, send } = cell;
    const caller = role === 'signed out' ? undefined : await (leavesNoTrace(cell) ? sharedUser : newUser)(role);
    const cookie = caller ? await cookieOf(db, caller) : '';
    const outcomes: Outcome[] = [];
    for (const id of await idsFor(cell, caller)) {
      await changes();
      const answer = await answerTo(send(id)(cookie));
      outcomes.push({ id, answer, changed: await changes() });
    }
    return outcomes;
  };
}

/** Whether the next cell may have the same caller: nothing is made in the caller's name, before or by the request. */
function leavesNoTrace({ row, idKind, send, expected }: MatrixCell): boolean {
  if (row.id && (idKind === 'own' || idKind === 'conflicting')) return false;
  return expected >= 400 || send('1')('').method === 'GET';
}
