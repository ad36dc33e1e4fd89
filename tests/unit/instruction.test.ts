import { expect, it } from 'vitest';
import { planDemoFlights } from '#db/seed/plan-flights.ts';
import { instructionNote } from '#app/domain/times/instruction.ts';

const note = (timeIn: string, timeOut: string, flightHundredths = 130, groundSchoolTime: string | null = null) =>
  instructionNote({ timeIn, timeOut, flightHundredths, groundSchoolTime });

it("an instructor's hours are questioned beyond flight, ground school and one and a half hours (B655)", () => {
  expect(note('14:00', '16:48')).toEqual({ isOdd: false, text: 'Total: 2.80 hours.' });
  expect(note('14:00', '16:49')).toEqual({
    isOdd: true,
    text: 'Total: 2.82 hours, more than the flight (1.3 h) and ground school (0.0 h) together.',
  });
  expect(note('14:00', '17:18', 130, '0.5')?.isOdd).toBe(false);
  expect(note('14:00', '17:19', 130, '0.5')?.text).toContain('the flight (1.3 h) and ground school (0.5 h)');
});

it("a time slip makes an instructor's hours odd, also where it leaves no hours to count (B655)", () => {
  expect(note('14:00', '05:00')?.text).toContain('Total: 15.00 hours, more than');
  expect(note('14:00', '06:00')?.text).toContain('Total: 16.00 hours, more than');
  expect(note('14:00', '06:01')?.text).toBe('Time out (06:01) is before time in (14:00).');
  expect(note('14:00', '13:00')).toEqual({ isOdd: true, text: 'Time out (13:00) is before time in (14:00).' });
});

it("an instructor's hours are not questioned before both times and the flight's end are known (B655)", () => {
  expect(note('14:00', '')).toBeUndefined();
  expect(note('', '15:00')).toBeUndefined();
  expect(note('09:00', '17:00', 0)).toEqual({ isOdd: false, text: 'Total: 8.00 hours.' });
});

it('none of the demo school’s instructors is questioned (B655)', () => {
  const clock = (minutes: number | null) =>
    minutes === null ? null : new Date(minutes * 60_000).toISOString().slice(11, 16);
  const odd = planDemoFlights().filter(
    ({ timeIn, timeOut, hobbs, groundSchoolTime }) =>
      instructionNote({
        timeIn: clock(timeIn),
        timeOut: clock(timeOut),
        flightHundredths: Math.round((Number(hobbs.end) - Number(hobbs.start)) * 100),
        groundSchoolTime,
      })?.isOdd,
  );
  expect(odd).toEqual([]);
});
