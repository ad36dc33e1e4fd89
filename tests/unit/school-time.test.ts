import { expect, it } from 'vitest';
import { type GivenTimes, resolveTimes } from '#app/domain/times/flight-times.server.ts';
import { instantsOfSchoolTime, toSchoolTime } from '#app/domain/times/school-time.server.ts';

const LOS_ANGELES = 'America/Los_Angeles';
const iso = (time: string, zone = LOS_ANGELES) =>
  instantsOfSchoolTime(time, zone).map((instant) => instant.toISOString());

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

/** The night in which 01:00 to 01:59 come twice in Los Angeles: from 08:00 and from 09:00 UTC. */
const night = (utc: string) => new Date(`2026-11-01T${utc}Z`);
const typed = (local: string) => `2026-11-01T${local}`;

function resolved(flight: { checkedOut: string; completed?: string; now: string }, given: GivenTimes) {
  const { checkedOut, completed, now } = flight;
  const completed_at = completed ? night(completed) : null;
  const log = { created_at: night(checkedOut), completed_at, departed_at: null, landed_at: null };
  const { departed_at, landed_at } = resolveTimes(log, given, LOS_ANGELES, night(now));
  return [departed_at, landed_at].map((at) => at?.toISOString().slice(11, 16));
}

it('of the two instants a departure is the one nearer to the check-out, none that is to come (B650)', () => {
  const given = { departedAt: typed('01:30') };
  expect(resolved({ checkedOut: '08:40', now: '10:00' }, given)).toEqual(['08:30', undefined]);
  expect(resolved({ checkedOut: '09:40', now: '10:00' }, given)).toEqual(['09:30', undefined]);
  // Never one that is still to come.
  expect(resolved({ checkedOut: '09:10', now: '09:10' }, given)).toEqual(['08:30', undefined]);
  expect(resolved({ checkedOut: '09:10', completed: '09:20', now: '12:00' }, given)).toEqual(['08:30', undefined]);
});

it('of the two instants a landing is the first one after the departure (B650)', () => {
  const flight = { checkedOut: '08:45', now: '10:00' };
  const landing = (at: string) => resolved(flight, { departedAt: typed('01:40'), landedAt: typed(at) });
  expect([landing('01:50'), landing('01:20')]).toEqual([
    ['08:40', '08:50'],
    ['08:40', '09:20'],
  ]);
});

it('a departure of which both instants are still to come is refused (B651)', () => {
  expect(() => resolved({ checkedOut: '07:40', now: '07:40' }, { departedAt: typed('01:30') })).toThrow(
    'A flight cannot have departed in the future, or after its check-in',
  );
});
