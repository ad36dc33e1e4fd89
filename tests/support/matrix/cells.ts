import { type Role, ROLES } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import { type Capability, can } from '#app/domain/permissions.ts';
import { takesAll } from '../takes-all.ts';

/** Who sends a request: a role of the school, or somebody who is signed out. */
const CALLERS = [...ROLES, 'signed out'] as const;
type Caller = (typeof CALLERS)[number];

/** What the id in a request names; 'another' is a record of the school that belongs to another user. */
type IdKind = 'own' | 'another' | 'conflicting' | 'foreign' | 'missing' | 'malformed';

/** Makes the record that an id names, in the owner's school; its id. */
type Make = (owner: Member) => Promise<number>;
/** A request as the browser with that cookie sends it. */
type Send = (cookie: string) => Request;

interface IdCases {
  own: Make;
  /** One in a state that refuses the request: 409. */
  conflicting?: Make;
  /** The status for somebody else's record of the same school; roles with a capability may have one of their own. */
  another?: number | { can: Capability; status: number; others: number };
  foreign: number;
  missing: number;
  malformed: number;
}

/** One API call, page or form intent, and what C33 says of it. */
export interface MatrixRow {
  name: string;
  /** What a role needs; the others are refused with 403, whatever else is wrong. */
  can: Capability | 'anyRole';
  /** The status for the allowed roles. */
  success: number;
  /** The status for the other roles, 403 unless given. */
  refusal?: number;
  signedOut: number;
  /** What the role is asked for stands in the body, so that a malformed id in the path comes first. */
  isRoleAskedByBody?: true;
  id?: IdCases;
  valid: (id: string) => Send;
  /** The same with invalid fields: 400, but only once every other check has passed. */
  invalid?: (id: string) => Send;
}

export interface MatrixCell {
  row: MatrixRow;
  caller: Caller;
  idKind: IdKind;
  isValid: boolean;
  send: (id: string) => Send;
  expected: number;
  title: string;
}

/** Ids that cannot be the id of anything. */
export const MALFORMED_IDS = ['abc', '0', '-1', '1.5', '99999999999', "1'--", '%20'];
export const MISSING_ID = '2147483647';

export const inPath = (own: Make, more: Partial<IdCases> = {}): IdCases => ({
  own,
  foreign: 404,
  missing: 404,
  malformed: 404,
  ...more,
});
export const inBody = (own: Make, more: Partial<IdCases> = {}): IdCases => ({
  own,
  foreign: 404,
  missing: 404,
  malformed: 400,
  ...more,
});
/** A filter: what it does not find leaves an empty list. */
export const inQuery = (own: Make, more: Partial<IdCases> = {}): IdCases => ({
  own,
  foreign: 200,
  missing: 200,
  malformed: 400,
  ...more,
});

/** A row for every caller, for every kind of id, with valid and with invalid fields. */
function cellsOf(row: MatrixRow): MatrixCell[] {
  return CALLERS.flatMap((caller) =>
    idKindsOf(row).flatMap((idKind) => [
      cell(row, caller, idKind, true),
      ...(row.invalid ? [cell(row, caller, idKind, false)] : []),
    ]),
  );
}

/**
 * The cells of each row that a run tries: each role with the own record, and who has the fewest rights with a foreign
 * record, whatever the fields are, or that of another user; `npm run test:all` takes every cell. Who is signed out stands
 * in manifest.test.ts.
 */
export function cellsToTry(rows: MatrixRow[]): MatrixCell[][] {
  return rows.map((row) => (takesAll ? cellsOf(row) : cellsOf(row).filter(isDecidedAlone)));
}

/** The other cells are refused for the session or the role whatever is sent, or as these are. */
function isDecidedAlone({ row, caller, idKind, isValid }: MatrixCell): boolean {
  if (caller === 'signed out') return false;
  const hasFewest = caller === allowedRoles(row).at(-1);
  if (!isValid) return idKind === 'foreign' && hasFewest;
  return idKind === 'own' || (['foreign', 'another'].includes(idKind) && hasFewest);
}

/** The roles that have what a row needs. */
export function allowedRoles({ can: needed }: MatrixRow): Role[] {
  return ROLES.filter((role) => needed === 'anyRole' || can(role, needed));
}

function idKindsOf({ id }: MatrixRow): IdKind[] {
  if (!id) return ['own'];
  const kinds: IdKind[] = ['own', 'foreign', 'missing', 'malformed'];
  return [...kinds, ...(id.conflicting ? ['conflicting' as const] : []), ...(id.another ? ['another' as const] : [])];
}

function cell(row: MatrixRow, caller: Caller, idKind: IdKind, isValid: boolean): MatrixCell {
  const expected = expectedStatus(row, caller, idKind, isValid);
  const what = [row.id && `${idKind} id`, !isValid && 'invalid fields'].filter(Boolean).join(' and ');
  const title = `${row.name}${what && ` with ${what}`}, ${caller === 'signed out' ? caller : `as ${caller}`}, answers ${expected}`;
  return { row, caller, idKind, isValid, send: (!isValid && row.invalid) || row.valid, expected, title };
}

/** The order of checks of C33: session, role, existence, state, fields. */
function expectedStatus(row: MatrixRow, caller: Caller, idKind: IdKind, isValid: boolean): number {
  if (caller === 'signed out') return row.signedOut;
  if (row.isRoleAskedByBody && row.id && idKind === 'malformed') return row.id.malformed;
  if (!allowedRoles(row).includes(caller)) return row.refusal ?? 403;
  if (idKind === 'conflicting') return 409;
  if (idKind === 'another') {
    const status = row.id ? statusForAnother(caller, row.id) : row.success;
    return status === row.success && !isValid ? 400 : status;
  }
  if (row.id && idKind !== 'own') return row.id[idKind];
  return isValid ? row.success : 400;
}

function statusForAnother(caller: Role, { another = 403 }: IdCases): number {
  if (typeof another === 'number') return another;
  return can(caller, another.can) ? another.status : another.others;
}
