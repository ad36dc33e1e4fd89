import { emailInputSchema, usernameInputSchema, changeOwnNameSchema } from '../../people/schema.server.ts';
import { usernameKey } from '../../people/username.ts';
import { USUAL_ROLE } from '../../roles.ts';
import { texts } from '../../texts.ts';
import type { PersonRecord } from '../records.ts';
import { parseRole } from './known-words.ts';
import type { RowReader } from './row-reader.ts';

const emailSchema = emailInputSchema(texts.emailInvalid);
const nameSchema = changeOwnNameSchema.shape.name;

export function peopleParser() {
  const usernames = new Set<string>();

  const parse = (row: RowReader): PersonRecord | undefined => {
    const email = row.checked('email', emailSchema);
    const name = readName(row);
    const role = row.parsed('role', parseRole) ?? USUAL_ROLE;
    const isUsernameMade = row.isEmpty('username');
    const username = isUsernameMade ? derive(name, email) : row.checked('username', usernameInputSchema);
    if (email === undefined || username === undefined) return undefined;
    usernames.add(usernameKey(username));
    return { row: row.row, username, isUsernameMade, name, email, role };
  };
  return { parse };

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
