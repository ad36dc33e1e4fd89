import { load } from 'cheerio';
import { expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { withoutColumn } from '#tests/support/faults.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { sharedServer } from '#tests/support/worker.ts';

it('pages say in the words of the specification what is refused, lost, asked and odd (B096, B211, B226, B586)', async () => {
  const { db, url } = await sharedServer();
  const schoolId = await makeSchool(db);
  const [admin, pilot] = [await makeUser(db, schoolId, 'administrator'), await makeUser(db, schoolId)];
  const aircraftId = await makeAircraft(db, schoolId, { last_hobbs: '1234.5', last_tach: '987.6' });
  const readings = { start_hobbs: '12345.0', start_tach: '987.6' };
  const checkIn = `/flight-log/${await makeFlight(db, pilot, aircraftId, readings)}/post-check`;
  const { id, email } = await makeInvitation(db, admin);
  const wordsOf = async (user: Member, path: string, fields?: Record<string, string>) => {
    const post = fields && { method: 'POST', body: new URLSearchParams(fields) };
    const answer = await fetch(url + path, { headers: { cookie: await cookieOf(db, user), origin: url }, ...post });
    return load(await answer.text())('body').text();
  };
  expect(await wordsOf(pilot, '/users/add')).toContain('Only administrators can add new users.');
  const lost = await withoutColumn(db, 'flight_logs', 'start_tach', () => wordsOf(pilot, checkIn));
  for (const words of ['Error Loading Flight Log', 'Failed to load flight log']) expect(lost).toContain(words);
  const asked = await wordsOf(admin, `/users/invitations?confirm=delete-invitation:${id}`);
  const question = `Are you sure you want to delete the invitation for ${email}? This action cannot be undone.`;
  for (const words of ['Delete Invitation', question]) expect(asked).toContain(words);
  const odd = await wordsOf(pilot, checkIn, { endHobbsTime: '1235.8', endTachTime: '988.7' });
  expect(odd).toContain('Was the start reading wrong? It says 12345.0.');
});
