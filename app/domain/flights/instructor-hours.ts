import { MAX_OVERNIGHT_INSTRUCTION_HOURS } from '#app/limits.ts';

const DAY_MINUTES = 24 * 60;

/** Returns hours between two 'HH:MM', two decimals, at most 16 past midnight; null if one is missing or implausible. */
export function instructorHours(timeIn: string | null, timeOut: string | null): string | null {
  if (timeIn === null || timeOut === null) return null;
  const minutes = minutesOf(timeOut) - minutesOf(timeIn);
  if (minutes >= 0) return (minutes / 60).toFixed(2);
  return minutes + DAY_MINUTES <= MAX_OVERNIGHT_INSTRUCTION_HOURS * 60
    ? ((minutes + DAY_MINUTES) / 60).toFixed(2)
    : null;
}

function minutesOf(time: string): number {
  const [hours = '', minutes = ''] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}
