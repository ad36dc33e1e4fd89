import { formatIsoDateTime } from '../format.server.ts';

/** Returns a time as a datetime-local input has it: '2026-05-12T14:05'. */
export function toSchoolTime(at: Date | string, timeZone: string): string {
  return formatIsoDateTime(at, timeZone).slice(0, 16);
}

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/;

/** Returns the instants, oldest first, that a school time may mean: two in the night when clocks are set back. */
export function instantsOf(time: string, timeZone: string): Date[] {
  if (!LOCAL.test(time)) return [new Date(time)];
  const asUtc = new Date(`${time}Z`).getTime();
  const offsets = [-DAY_MS, DAY_MS].map((shift) => offsetAt(asUtc + shift, timeZone));
  const instants = [...new Set(offsets.map((offset) => asUtc - offset))].toSorted((a, b) => a - b);
  const existing = instants.filter((instant) => instant + offsetAt(instant, timeZone) === asUtc);
  // A time that clocks skipped is as much after the skip as it says.
  return (existing.length > 0 ? existing : instants.slice(-1)).map((instant) => new Date(instant));
}

const DAY_MS = 24 * 60 * 60_000;

function offsetAt(instant: number, timeZone: string): number {
  const whole = Math.floor(instant / 1000) * 1000;
  return new Date(`${formatIsoDateTime(new Date(whole), timeZone).slice(0, 19)}Z`).getTime() - whole;
}
