import { expect, it } from 'vitest';
import { dayText, dueText } from '#app/domain/inspections/due-point.ts';
import { nextDue } from '#app/domain/inspections/interval.ts';

it('a day is one day late, two are two days, and a day of another year has its year (B615)', () => {
  const on = (today: string) => dueText({ at: 'date', value: '2026-12-03' }, { hobbs: null, tach: null, today });
  expect(['2026-12-02', '2026-12-03', '2026-12-04', '2026-12-05'].map(on)).toEqual([
    'Due on 3 Dec',
    'Due on 3 Dec',
    'Overdue by 1 day',
    'Overdue by 2 days',
  ]);
  expect([dayText('2027-01-09', '2026-12-31'), dayText('2026-01-09', '2026-12-31')]).toEqual(['9 Jan 2027', '9 Jan']);
});

it('the next due point keeps the hundredths of the reading that it counts from (B617)', () => {
  const next = (reading: string, count: number) => nextDue('tach', { count, unit: 'hours' }, { reading, doneOn: '' });
  expect([next('1234.56', 50), next('1234.5', 50), next('0.07', 0.5)]).toEqual(
    ['1284.56', '1284.5', '0.57'].map((value) => ({ at: 'tach', value })),
  );
});
