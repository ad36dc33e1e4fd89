import { MS_PER_DAY } from '#app/limits.ts';
import { instantsOf, toSchoolTime } from '../../times/school-time.server.ts';
import type { Moment } from './days.ts';
import { ValueProblem } from './value-problem.ts';

/** The instants that a written time may mean, oldest first. */
export type FindInstants = (moment: Moment, inUtc: boolean) => Date[];

/** Remembers the days on which no clock is set: asking the zone for each of 100,000 times takes seconds. */
export function instantFinder(timeZone: string): FindInstants {
  const offsets = new Map<string, number | null>();

  return ({ day, clock, zone }, inUtc) => {
    const time = `${day}T${clock ?? '00:00'}`;
    if (zone !== null || inUtc) return [new Date(`${time}${zone ?? 'Z'}`)];
    const offset = offsetOn(day);
    if (offset !== null) return [new Date(Date.parse(`${time}Z`) - offset)];
    const instants = instantsOf(time, timeZone);
    if (instants.some((instant) => toSchoolTime(instant, timeZone) === time.slice(0, 16))) return instants;
    throw new ValueProblem(`${clock} does not exist on ${day}: clocks were set forward that night.`);
  };

  /** Null on and around days on which clocks are set. */
  function offsetOn(day: string): number | null {
    const known = offsets.get(day);
    if (known !== undefined) return known;
    const noon = Date.parse(`${day}T12:00:00Z`);
    const [before, after] = [noon - 1.5 * MS_PER_DAY, noon + 1.5 * MS_PER_DAY].map((instant) =>
      offsetAt(instant, timeZone),
    );
    const offset = before === after ? (before ?? null) : null;
    offsets.set(day, offset);
    return offset;
  }
}

function offsetAt(instant: number, timeZone: string): number {
  return Date.parse(`${toSchoolTime(new Date(instant), timeZone)}Z`) - instant;
}
