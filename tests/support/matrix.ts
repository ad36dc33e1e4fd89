import type { Role } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';

/** Who asks: a role of the school, or somebody who is not signed in. */
const EVERYBODY = ['administrator', 'instructor', 'student', 'nobody'] as const;
type Who = (typeof EVERYBODY)[number];

/** What the id in a request names; 'another' is a thing of the school that is not the caller's own. */
type Which = 'own' | 'another' | 'busy' | 'foreign' | 'missing' | 'junk';

/** Makes the thing that an id names, in the owner's school; its id. */
type Make = (owner: Member) => Promise<number>;
/** A request as the browser of that cookie sends it. */
type Send = (cookie: string) => Request;

interface Named {
  own: Make;
  /** One in a state that refuses the call: 409. */
  busy?: Make;
  /** What is answered for somebody else's thing of the same school; administrators may have an answer of their own. */
  another?: number | { administrator: number; others: number };
  foreign: number;
  missing: number;
  junk: number;
}

/** One call or one form of a page: what C33 says of it. */
export interface Line {
  name: string;
  /** The roles that may; the others are refused with 403, whatever else is wrong. */
  may: readonly Role[];
  /** The status for those who may. */
  ok: number;
  /** The status for the other roles, 403 where nothing is said. */
  refused?: number;
  /** The status for who is not signed in. */
  nobody: number;
  id?: Named;
  good: (id: string) => Send;
  /** The same with fields that are wrong: 400, but only for who got as far as the fields. */
  bad?: (id: string) => Send;
}

export interface Cell {
  line: Line;
  who: Who;
  which: Which;
  send: (id: string) => Send;
  expected: number;
  title: string;
}

/** Ids that are the id of nothing. */
export const JUNK = ['abc', '0', '-1', '1.5', '99999999999', "1'--", '%20'];
export const MISSING = '2147483647';

export const inPath = (own: Make, more: Partial<Named> = {}): Named => ({
  own,
  foreign: 404,
  missing: 404,
  junk: 404,
  ...more,
});
export const inBody = (own: Make, more: Partial<Named> = {}): Named => ({
  own,
  foreign: 404,
  missing: 404,
  junk: 400,
  ...more,
});
/** A filter: what it does not find leaves an empty list. */
export const inQuery = (own: Make, more: Partial<Named> = {}): Named => ({
  own,
  foreign: 200,
  missing: 200,
  junk: 400,
  ...more,
});

/** Every line of a table for everybody, for every kind of id, with right and with wrong fields. */
export function cellsOf(lines: Line[]): Cell[] {
  return lines.flatMap((line) =>
    EVERYBODY.flatMap((who) =>
      whichOf(line).flatMap((which) => [
        cell(line, who, which, false),
        ...(line.bad ? [cell(line, who, which, true)] : []),
      ]),
    ),
  );
}

function whichOf({ id }: Line): Which[] {
  if (!id) return ['own'];
  const kinds: Which[] = ['own', 'foreign', 'missing', 'junk'];
  return [...kinds, ...(id.busy ? ['busy' as const] : []), ...(id.another ? ['another' as const] : [])];
}

function cell(line: Line, who: Who, which: Which, wrong: boolean): Cell {
  const expected = expectedOf(line, who, which, wrong);
  const what = line.id ? `, ${which} id` : '';
  const title = `${line.name} by ${who}${what}${wrong ? ', wrong fields' : ''}: ${expected}`;
  return { line, who, which, send: (wrong && line.bad) || line.good, expected, title };
}

/** The order of checks of C33: session, role, existence, state, fields. */
function expectedOf(line: Line, who: Who, which: Which, wrong: boolean): number {
  if (who === 'nobody') return line.nobody;
  if (!line.may.includes(who)) return line.refused ?? 403;
  if (which === 'busy') return 409;
  if (which === 'another') {
    const status = line.id ? anotherFor(who, line.id) : line.ok;
    return status === line.ok && wrong ? 400 : status;
  }
  if (line.id && which !== 'own') return line.id[which];
  return wrong ? 400 : line.ok;
}

function anotherFor(who: Who, { another = 403 }: Named): number {
  if (typeof another === 'number') return another;
  return who === 'administrator' ? another.administrator : another.others;
}
