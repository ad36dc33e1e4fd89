import { expect, it } from 'vitest';
import { listLastDays, monthOf, usualPeriods } from '#app/features/flights/hours/periods.ts';

it('the usual periods are weeks from Monday to Sunday, months and the year (B743)', () => {
  expect(usualPeriods('2026-11-22').map(({ name, from, to }) => [name, from, to])).toEqual([
    ['This week', '2026-11-16', '2026-11-22'],
    ['Last week', '2026-11-09', '2026-11-15'],
    ['This month', '2026-11-01', '2026-11-30'],
    ['Last month', '2026-10-01', '2026-10-31'],
    ['This year', '2026-01-01', '2026-12-31'],
  ]);
});

it('on a Monday the week begins, and in January the last month is of the last year (B743)', () => {
  const [thisWeek, lastWeek, , lastMonth] = usualPeriods('2026-01-05');
  expect([thisWeek?.from, lastWeek?.to]).toEqual(['2026-01-05', '2026-01-04']);
  expect([lastMonth?.from, lastMonth?.to]).toEqual(['2025-12-01', '2025-12-31']);
  // A February has 28 days, and 29 in a leap year.
  expect(monthOf('2026-02-14')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(monthOf('2028-02-29')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
});

it('the last days lead back across a month, today first (B738)', () => {
  expect(listLastDays('2026-03-02', 4)).toEqual(['2026-03-02', '2026-03-01', '2026-02-28', '2026-02-27']);
});
