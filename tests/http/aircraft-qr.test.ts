import { beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { drawQr } from '#app/domain/qr/draw-qr.server.ts';
import { env } from '#app/env.server.ts';
import { handleRequest } from '#tests/support/app-handler.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAt, textOf } from '#tests/support/documents.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { cookieOf, getRequest } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

let schoolId: number;
let pilot: Member;
let cookie: string;
let aircraftId: number;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  pilot = await makeUser(db, schoolId);
  cookie = await cookieOf(db, pilot);
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N512FL' });
});

const target = () => `/flight-log?aircraftId=${aircraftId}`;

describe('the QR code of an aircraft', () => {
  it('stands on its page and on the sheet of the fleet, and holds the whole address of its check-out (B787)', async () => {
    const { path } = drawQr(env.APP_URL + target());
    for (const page of [`/airplanes/${aircraftId}`, '/airplanes/qr']) {
      const { $ } = await documentAt(page, cookie);
      const code = $('svg[aria-label="QR code of N512FL"] path');
      expect(code.attr('d'), page).toBe(path);
    }
  });

  it('a fleet of more than 24 has sheets that follow each other, of which none leaves an aircraft out (B839)', async () => {
    for (let count = 10; count < 35; count += 1) await makeAircraft(db, schoolId, { tail_number: `N${count}` });
    const sheet = async (path: string) => {
      const { $ } = await documentAt(path, cookie);
      const tails = $('.qr-sheet .tail-number').toArray();
      return { tails: tails.map((tail) => textOf($(tail))), next: $('.pager a[rel=next]').attr('href') };
    };
    const first = await sheet('/airplanes/qr');
    const second = await sheet(first.next ?? '');
    expect([first.tails.length, second.next]).toEqual([24, undefined]);
    expect([...first.tails, ...second.tails]).toEqual([
      ...Array.from({ length: 25 }, (_, index) => `N${index + 10}`),
      'N512FL',
    ]);
  });

  it('opens the check-out with the aircraft chosen (B788)', async () => {
    await makeAircraft(db, schoolId, { tail_number: 'N2' });
    const { $ } = await documentAt(target(), cookie);
    expect($('select[name=aircraftId] option[selected]').attr('value')).toBe(String(aircraftId));
  });

  it('opens the check-in for who has the aircraft, and for nobody else (B788)', async () => {
    const flight = await makeFlight(db, pilot, aircraftId);
    const answer = await handleRequest(getRequest(target(), cookie));
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `/flight-log/${flight}/post-check`]);
    const other = await cookieOf(db, await makeUser(db, schoolId));
    expect((await handleRequest(getRequest(target(), other))).status).toBe(200);
  });

  it('comes back after signing in (B788)', async () => {
    const answer = await handleRequest(getRequest(target()));
    expect(answer.headers.get('location')).toBe(`/login?to=${encodeURIComponent(target())}`);
  });
});
