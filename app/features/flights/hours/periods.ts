import { addDays } from '#app/domain/inspections/interval.ts';

export interface Period {
  /** First day, as '2026-05-12'; both days are included. */
  from: string;
  to: string;
}

/** Returns the usual periods to sum hours over, as they are on this day. Weeks begin on Monday. */
export function usualPeriods(today: string): (Period & { name: string })[] {
  const monday = addDays(today, -((weekdayOf(today) + 6) % 7));
  const month = monthOf(today);
  return [
    { name: 'This week', from: monday, to: addDays(monday, 6) },
    { name: 'Last week', from: addDays(monday, -7), to: addDays(monday, -1) },
    { name: 'This month', ...month },
    { name: 'Last month', ...monthOf(addDays(month.from, -1)) },
    { name: 'This year', from: `${today.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31` },
  ];
}

export function monthOf(day: string): Period {
  const from = `${day.slice(0, 7)}-01`;
  const inNextMonth = addDays(from, 31);
  return { from, to: addDays(`${inNextMonth.slice(0, 7)}-01`, -1) };
}

export function listLastDays(today: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addDays(today, -index));
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}
