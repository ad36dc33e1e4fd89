import { z } from 'zod';
import { emailInputSchema, usernameInputSchema, changeOwnNameSchema } from '../../people/schema.server.ts';
import { usernameKey } from '../../people/username.ts';
import { USUAL_ROLE } from '../../roles.ts';
import { texts } from '../../texts.ts';
import type { PersonRecord } from '../records.ts';
import { parseMoment } from './days.ts';
import { parseFlag, parseMembership, parseRole } from './known-words.ts';
import type { RowReader } from './row-reader.ts';

/** It takes the address out of 'mailto:anna@club.example' and 'Anna Weber <anna@club.example>'. */
const emailSchema = z
  .string()
  .transform((text) => /<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.replace(/^mailto:/i, ''))
  .pipe(emailInputSchema(texts.emailInvalid));
const FORMER = 'comes as a former person: their flights count, and they sign in no more.';
const nameSchema = changeOwnNameSchema.shape.name;

/** Remembers the usernames of the rows before. */
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
  const status = row.parsed('status', (text) => parseMembership(text, (word) => row.meaning('status', word)));
  const active = row.parsed('active', parseFlag);
  const left = row.parsed('left', parseFlag);
  const leftOn = row.parsed('leftOn', (text, { dates }) => parseMoment(text, dates).day);
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
