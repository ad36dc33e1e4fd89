import { expect, test } from 'vitest';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { startServer } from '#tests/support/server.ts';
import { compareFlights } from '#tests/support/typed/compare-flights.ts';
import { fly, type TypedFlight } from '#tests/support/typed/fly.ts';
import { startLossyLine } from '#tests/support/typed/lossy-line.ts';
import { sharedBrowser } from '#tests/support/worker.ts';

const PHONES = Number(process.env.TYPED_PARALLEL ?? 4);
const FLIGHTS = Number(process.env.TYPED_FLIGHTS ?? 100);
const SEED = Number(process.env.TYPED_SEED ?? 1);

test(
  `flights over a lossy line are there once, with what was typed (seed ${SEED}) (B867)`,
  { timeout: 7_200_000 },
  async () => {
    const line = await startLossyLine(randomFrom(SEED));
    const server = await startServer({ APP_URL: line.url, LOG_LEVEL: 'warn' });
    line.leadTo(server.url);
    const browser = await sharedBrowser();
    const schoolId = await makeSchool(server.db);
    const typed: TypedFlight[] = [];
    let acknowledged = 0;
    const use = async (phone: number) => {
      const pilot = await makeUser(server.db, schoolId, 'student');
      const { hobbs, tach } = readingsAt(phone, 0);
      const columns = { tail_number: `N${100 + phone}LO`, last_hobbs: hobbs, last_tach: tach };
      const aircraftId = await makeAircraft(server.db, schoolId, columns);
      const options = { baseURL: line.url, userAgent: `phone ${phone}`, reducedMotion: 'reduce' } as const;
      const context = await browser.newContext(options);
      const [name = '', value = ''] = (await cookieOf(server.db, pilot)).split('=', 2);
      await context.addCookies([{ name, value, url: line.url, httpOnly: true, sameSite: 'Lax' }]);
      const page = await context.newPage();
      for (let number = 0; typed.length < FLIGHTS; number += 1) {
        const flight = flightOf(phone, number, aircraftId);
        typed.push(flight);
        await fly(page, flight);
        acknowledged += 1;
        if (acknowledged % 10 === 0) console.log(`${acknowledged} flights`, line.counts);
      }
      await context.close();
    };
    await Promise.all(Array.from({ length: PHONES }, (_, phone) => use(phone)));
    const cookie = await cookieOf(server.db, await makeUser(server.db, schoolId, 'administrator'));
    const compared = await compareFlights(server, schoolId, cookie, typed);
    console.log({ typed: typed.length, acknowledged, ...compared, line: line.counts });
    await line.stop();
    await server.stop();
    expect(compared).toEqual({ once: typed.length, doubled: 0, lost: 0, differing: [] });
  },
);

/** Begins where the flight before has ended. */
function flightOf(phone: number, number: number, aircraftId: number): TypedFlight {
  const [start, end] = [readingsAt(phone, number), readingsAt(phone, number + 1)];
  return { aircraftId, start, end, notes: `Phone ${phone}, flight ${number}` };
}

/** No two flights have the same ones. */
function readingsAt(phone: number, count: number) {
  const base = 1000 * (phone + 1);
  return { hobbs: (base + count * 1.2).toFixed(1), tach: (base + count * 1.1).toFixed(1) };
}

/** The same ones for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
