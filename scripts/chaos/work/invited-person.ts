import { setTimeout as sleep } from 'node:timers/promises';
import type { Mailbox } from '#tests/support/mailbox.ts';
import { linkIn } from '#tests/support/read-mail.ts';
import { invitedTo } from './administrator.ts';
import type { Client } from './client.ts';
import type { Shift } from './shift.ts';

/** Limit for people, since each hashes a password. */
const MAX_PEOPLE = 4;
const PASSWORD = 'gull wing door 9';

/** Follows the links of new invitations and registers, by form and by call in turn. */
export async function register(client: Client, { received }: Mailbox, schoolId: number, { goesOn, random }: Shift) {
  let next = received.length;
  for (let people = 0; goesOn() && people < MAX_PEOPLE;) {
    await sleep(50);
    const mail = received[next];
    if (!mail) continue;
    next += 1;
    if (!mail.recipients.some((address) => address.endsWith(`@${invitedTo(schoolId)}`))) continue;
    people += 1;
    const token = new URL(linkIn(mail), 'http://mail').searchParams.get('token') ?? '';
    const username = `invited-${schoolId}-${next}`;
    const marker = `user ${username}`;
    if (random() < 0.5) {
      const json = { invitationToken: token, username, password: PASSWORD };
      await client.write({ marker, path: '/api/register', json });
    } else {
      const form = { token, username, password: PASSWORD, confirmPassword: PASSWORD };
      await client.write({ marker, path: `/register?token=${token}`, form });
    }
  }
}
