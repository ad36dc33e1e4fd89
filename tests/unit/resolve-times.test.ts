import { expect, it } from 'vitest';
import { type GivenTimes, resolveTimes } from '#app/domain/times/flight-times.server.ts';

/** The night in which 01:00 to 01:59 come twice in Los Angeles: from 08:00 and from 09:00 UTC. */
const night = (utc: string) => new Date(`2026-11-01T${utc}Z`);
const typed = (local: string) => `2026-11-01T${local}`;

function resolved(flight: { checkedOut: string; completed?: string; now: string }, given: GivenTimes) {
  const { checkedOut, completed, now } = flight;
  const completed_at = completed ? night(completed) : null;
  const log = { created_at: night(checkedOut), completed_at, departed_at: null, landed_at: null };
  const { departed_at, landed_at } = resolveTimes(log, given, 'America/Los_Angeles', night(now));
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
