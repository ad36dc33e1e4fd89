import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Mailbox } from '#tests/support/mailbox.ts';
import { linkIn } from '#tests/support/read-mail.ts';
import type { Client, Person, Shift } from './client.ts';
import type { Handover } from './pilot.ts';

const MAX_INVITATIONS = 40;
const aircraft = z.looseObject({ id: z.number() });

/** Closes flights that pilots have left, and manages fleet, school and invitations. */
export async function administrate(administrator: Person, left: Handover[], { goesOn, random }: Shift) {
  let invitations = 0;
  // A pilot who left a flight waits for it to be closed.
  while (goesOn() || left.length > 0) {
    await sleep(20 + random() * 60);
    const flight = left.shift();
    if (flight) await closeFlight(administrator, flight);
    else if (random() < 0.3 && invitations < MAX_INVITATIONS) {
      invitations += 1;
      await invite(administrator, random() < 0.5);
    } else if (random() < 0.5) await addAircraft(administrator);
    else await saveSchool(administrator, random() < 0.5);
  }
}

async function closeFlight({ client }: Person, { flightId, start, done }: Handover) {
  const reason = `close ${randomUUID()}`;
  const form = { endHobbsTime: `${start + 1}.5`, endTachTime: `${start + 1}.2`, reason };
  await client.write({ marker: reason, path: `/flight-logs/${flightId}/close`, form });
  done();
}

async function invite({ client, schoolId }: Person, byForm: boolean) {
  const email = `${randomUUID()}@${invitedTo(schoolId)}`;
  const invitation = { name: 'Ida', email, role: 'student' };
  const marker = `invitation ${email}`;
  if (byForm) await client.write({ marker, path: '/users/invitations', form: invitation });
  else await client.write({ marker, path: '/api/invitations', json: invitation });
}

/** Returns the mail domain of the people whom this school invites. */
function invitedTo(schoolId: number): string {
  return `invited-${schoolId}.example`;
}

async function addAircraft({ client }: Person) {
  const tailNumber = `N${randomUUID().slice(0, 12).toUpperCase()}`;
  const json = { tailNumber, make: 'Cessna', model: '172S', year: 2004 };
  const added = await client.write({ marker: `aircraft ${tailNumber}`, path: '/api/aircraft', json });
  if (!added) return;
  const { id } = aircraft.parse(JSON.parse(added.text));
  const marker = `maintenance ${id}`;
  await client.write({ marker, path: `/api/aircraft/${id}/status`, method: 'PUT', json: { status: 'maintenance' } });
}

async function saveSchool({ client }: Person, byForm: boolean) {
  const name = `School ${randomUUID()}`;
  const school = { name, address: '2 Field Road', phone: '555 0199' };
  const marker = `school ${name}`;
  if (!byForm) await client.write({ marker, path: '/api/flight-school', method: 'PUT', json: school });
  else await client.write({ marker, path: '/school-settings', form: { ...school, timeZone: 'UTC' } });
}

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
