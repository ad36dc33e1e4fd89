import { MAX_OVERNIGHT_INSTRUCTION_HOURS } from '#app/limits.ts';

const DAY_MINUTES = 24 * 60;

/**
 * Hours from one clock time to another, 'HH:MM' both, with two decimals: '1.92' (spec §9, C43). An earlier time out is
 * past midnight, unless that makes it more than 16 hours. Null when a time is missing or they make no sense together.
 */
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
