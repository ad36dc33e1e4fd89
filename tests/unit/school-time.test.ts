import { expect, it } from 'vitest';
import { instantsOf, toSchoolTime } from '#app/domain/times/school-time.server.ts';

const LOS_ANGELES = 'America/Los_Angeles';
const iso = (time: string, zone = LOS_ANGELES) => instantsOf(time, zone).map((instant) => instant.toISOString());

it('a school time is read in the zone of the school or its own, and stands there to the minute (B650)', () => {
  for (const [time, instant, zone] of [
    ['2026-01-12T14:05', '2026-01-12T22:05:00.000Z', LOS_ANGELES],
    ['2026-05-12T14:05', '2026-05-12T21:05:00.000Z', LOS_ANGELES],
    ['2026-05-12T14:05:30', '2026-05-12T08:20:30.000Z', 'Asia/Kathmandu'],
    ['2026-01-01T02:00', '2025-12-31T12:00:00.000Z', 'Pacific/Kiritimati'],
    ['2026-05-12T14:05:00Z', '2026-05-12T14:05:00.000Z', LOS_ANGELES],
    ['2026-05-12T14:05:00+02:00', '2026-05-12T12:05:00.000Z', LOS_ANGELES],
  ] as const)
    expect(iso(time, zone), time).toEqual([instant]);
  expect(toSchoolTime('2026-05-12T21:05:59.900Z', LOS_ANGELES)).toBe('2026-05-12T14:05');
});

it('a time of the night when clocks are set back is either of two instants, one that is skipped is one (B650)', () => {
  expect(iso('2026-11-01T01:30')).toEqual(['2026-11-01T08:30:00.000Z', '2026-11-01T09:30:00.000Z']);
  expect(iso('2026-11-01T02:00')).toEqual(['2026-11-01T10:00:00.000Z']);
  expect(iso('2026-03-08T02:30')).toHaveLength(1);
  expect(iso('2026-03-08T03:00')).toEqual(['2026-03-08T10:00:00.000Z']);
});
