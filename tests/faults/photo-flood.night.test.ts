import { expect, it } from 'vitest';
import { blackPng, GOOD } from '#tests/support/odd-pictures.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { sendUntilServed } from '#tests/support/send-until-served.ts';
import { sharedServer } from '#tests/support/worker.ts';

/** As many pixels as a photo may have. */
const COSTLY = blackPng(5_000, 5_000);

it('while twelve users of one school send costly photos, every photo of another school is read (B423)', async () => {
  const flooding = await makeSenders(12);
  const others = await makeSenders(2);
  const flood: Promise<number>[] = [];
  const answers = [];
  // On a busy machine a photo may wait 15 seconds for its turn, and is then told to come again.
  const sent = (send: (typeof others)[number]) => sendUntilServed(async () => ({ status: await send(GOOD) }));
  for (let round = 0; round < 2; round += 1) {
    flood.push(...flooding.map((send) => send(COSTLY)));
    answers.push(...(await Promise.all(others.map(sent))));
  }
  expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200));
  expect(await Promise.all(flood)).toContain(503);
});

/** Users of one new school, each of whom sends a picture and gets the status of the answer. */
async function makeSenders(count: number): Promise<((image: Buffer) => Promise<number>)[]> {
  const { db, url } = await sharedServer();
  const schoolId = await makeSchool(db);
  const aircraftId = await makeAircraft(db, schoolId);
  const cookies = await Promise.all(
    Array.from({ length: count }, async () => cookieOf(db, await makeUser(db, schoolId))),
  );
  return cookies.map((cookie) => async (image) => {
    const answer = await fetch(`${url}/api/analyze-image`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ aircraftId, meterType: 'hobbs', imageData: image.toString('base64') }),
    });
    await answer.arrayBuffer();
    return answer.status;
  });
}
