import { beforeEach, expect, it } from 'vitest';
import type { ReadingFlag } from '#db/tables.ts';
import type { Member } from '#app/domain/actor.ts';
import { correctFlight } from '#app/domain/flights/correction/correct-flight.server.ts';
import { completeFlight } from '#app/domain/flights/end-flight.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { makeScene } from '#tests/support/school.ts';

const { db } = await testDatabase();

let admin: Member;
let pilot: Member;
let aircraftId: number;
beforeEach(async () => {
  ({ admin, pilot, aircraftId } = await makeScene(db, { last_hobbs: '100.0', last_tach: '90.0' }));
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const photo = (at: ReadingFlag['at'], meter: ReadingFlag['meter'], reading: string): ReadingFlag => ({
  ...{ meter, at, kind: 'photo', reading, last: '77.7' },
});
const reason = 'Pressed late';

it('a correction keeps what a photo said of each reading that it leaves (C80)', async () => {
  const flags = [photo('start', 'hobbs', '100.0'), photo('end', 'hobbs', '101.2'), photo('end', 'tachometer', '91.0')];
  const ended = { end_hobbs: '101.2', end_tach: '91.0', completed_at: minutesAgo(0), completed_by: pilot.id };
  const flown = { ...ended, created_at: minutesAgo(90), reading_flags: JSON.stringify(flags) };
  const id = await makeFlight(db, pilot, aircraftId, flown);
  const departedAt = minutesAgo(100).toISOString();
  expect((await correctFlight(db, admin, id, { departedAt, reason })).readingFlags).toEqual(flags);
  const corrected = await correctFlight(db, admin, id, { endTachTime: '91.1', reason });
  expect(corrected.readingFlags).toEqual(flags.slice(0, 2));
});

it('a check-in that corrects one start keeps what a photo said of the other (C80, C81)', async () => {
  const flags = [photo('start', 'hobbs', '100.0'), photo('start', 'tachometer', '90.0')];
  const id = await makeFlight(db, pilot, aircraftId, {
    created_at: minutesAgo(90),
    reading_flags: JSON.stringify(flags),
  });
  const ends = { endHobbsTime: '101.2', endTachTime: '91.1', startTachTime: '90.1', startReason: 'Misread' };
  expect((await completeFlight(db, pilot, id, ends)).readingFlags).toEqual(flags.slice(0, 1));
});

it('an end that a corrected departure explains is odd no more (C80, C83)', async () => {
  const id = await makeFlight(db, pilot, aircraftId, { created_at: minutesAgo(60) });
  const odd = await completeFlight(db, pilot, id, { endHobbsTime: '105.0', endTachTime: '94.3' });
  expect(odd.readingFlags).toMatchObject([
    { meter: 'hobbs', kind: 'time' },
    { meter: 'tachometer', kind: 'time' },
  ]);
  const departedAt = minutesAgo(300).toISOString();
  expect((await correctFlight(db, admin, id, { departedAt, reason })).readingFlags).toEqual([]);
});
