import { beforeEach, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { toastAfter } from '#tests/support/answers.ts';
import { codedMeter } from '#tests/support/coded-meter.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { cookieOf, formRequest, ORIGIN } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';

const { db } = await testDatabase();
let pilot: Member;
let cookie: string;
let aircraftId: number;
beforeEach(async () => {
  pilot = await makeUser(db, await makeSchool(db));
  cookie = await cookieOf(db, pilot);
  aircraftId = await makeAircraft(db, pilot.schoolId);
});

it('a sign-in, start or completion that fails in the database says so in the words of its page (B060, B157, B210)', async () => {
  const start = { aircraftId: String(aircraftId), startHobbsTime: '1234.5', startTachTime: '987.6' };
  const end = { endHobbsTime: '101.2', endTachTime: '91.0' };
  const fails = async (table: string, path: string, fields: Record<string, string>, text: string) => {
    await db.schema.alterTable(table).renameTo(`${table}_away`).execute();
    const answer = await answerTo(formRequest(path, fields, cookie)).finally(() =>
      db.schema.alterTable(`${table}_away`).renameTo(table).execute(),
    );
    expect(answer).toMatchObject({ status: 500, body: { toast: { title: 'Error', text, tone: 'destructive' } } });
  };
  await fails('sessions', '/login', { username: pilot.username, password: PASSWORD }, 'Login failed');
  await fails('audit_entries', '/flight-log?step=2', start, 'Failed to save flight log');
  const checkIn = `/flight-log/${await makeFlight(db, pilot, aircraftId)}/post-check`;
  await fails('audit_entries', checkIn, end, 'Failed to complete flight');
});

it('a scan that was read says so (B123)', async () => {
  const body = new FormData();
  for (const [name, value] of Object.entries({ aircraftId: String(aircraftId), meterType: 'hobbs' }))
    body.set(name, value);
  body.set('image', new Blob([new Uint8Array(await codedMeter('12345'))], { type: 'image/jpeg' }));
  const answer = await answerTo(
    new Request(`${ORIGIN}/ocr`, { method: 'POST', headers: { cookie, origin: ORIGIN }, body }),
  );
  const toast = { title: 'Success', text: 'Meter reading processed successfully', tone: 'default' };
  expect(await toastAfter(answer)).toMatchObject(toast);
});
