import { expect, it } from 'vitest';
import { outDurationText } from '#app/features/aircraft/open-flight.server.ts';
import { formatDateTime, formatIsoDateTime, splitDateTime } from '#app/domain/format.server.ts';

const ZONES = [
  'America/Los_Angeles',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/St_Johns',
  'UTC',
];
const DAY_MS = 86_400_000;
/** A year, at a different time each day, and the minutes around the hours at which clocks are set. */
const INSTANTS = Array.from({ length: 365 }, (_, day) => {
  const midnight = Date.UTC(2025, 0, 1) + day * DAY_MS;
  return [0, 59, 60, 239, 600, 899, 900, 929, 930].map((minute) => new Date(midnight + (minute + (day % 7)) * 60_000));
}).flat();

it.each(ZONES)(
  'dates and times of %s are those of the time zone database, on days on which the clock is set too (C41)',
  (timeZone) => {
    const intl = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
      ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
    });
    const wrong = INSTANTS.filter((at) => {
      const parts = Object.fromEntries(intl.formatToParts(at).map(({ type, value }) => [type, value]));
      const { weekday, day, month, year, hour, minute, timeZoneName: zone } = parts;
      const date = `${day} ${month} ${year}`;
      const { day: named, time } = splitDateTime(at, timeZone);
      return (
        formatDateTime(at, timeZone).text !== `${date}, ${hour}:${minute} ${zone}` ||
        `${named} ${time}` !== `${weekday} ${date} ${hour}:${minute}` ||
        Date.parse(formatIsoDateTime(at, timeZone)) !== at.getTime()
      );
    });
    expect(wrong).toEqual([]);
  },
);

it('how long an aircraft is out has hours from the sixtieth minute (B621)', () => {
  const texts = [0, 59, 60, 132].map((minutes) => outDurationText(new Date(0), minutes * 60_000 + 59_999));
  expect(texts).toEqual(['out 0 min', 'out 59 min', 'out 1 h 00', 'out 2 h 12']);
});
