import { z } from 'zod';
import { emailInputSchema, usernameInputSchema, changeOwnNameSchema } from '../../people/schema.server.ts';
import { usernameKey } from '../../people/username.ts';
import { USUAL_ROLE } from '../../roles.ts';
import { texts } from '../../texts.ts';
import type { PersonRecord } from '../records.ts';
import { parseMembership, parseRole } from './known-words.ts';
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
    const hasLeft =
      row.parsed('status', (text) => parseMembership(text, (word) => row.meaning('status', word))) ?? false;
    const isUsernameMade = row.isEmpty('username');
    const username = isUsernameMade ? derive(name, email) : row.checked('username', usernameInputSchema);
    if (email === undefined || username === undefined) return undefined;
    const isFormer = hasLeft || said === 'former' || hasNoAddress;
    if (hasLeft || said === 'former') row.remark(hasLeft ? 'status' : 'role', `${name ?? username} ${FORMER}`);
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

function readName(row: RowReader): string | null {
  if (!row.has('firstName') && !row.has('lastName')) return row.checked('name', nameSchema) ?? null;
  const parts = ['firstName', 'lastName']
    .filter((field) => row.has(field))
    .map((field) => row.checked(field, nameSchema));
  return parts.filter(Boolean).join(' ') || null;
}
