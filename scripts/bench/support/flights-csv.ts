/** Ten years of a school of twenty aircraft, N1 to N20, flown by u2 to u200. */
export function flightsAsCsv(flights: number, aircraft = 20): string {
  const lines = Array.from({ length: flights }, (_, n) => {
    const before = Math.floor(n / aircraft);
    const start = Date.UTC(2014, 0, 1) + before * 90 * 60_000 * 14;
    const time = (at: number) => new Date(at).toISOString();
    const hobbs = 1000 + before * 1.5;
    const notes = n % 5 === 0 ? '"Left brake soft, radio two crackles."' : '';
    const readings = [hobbs, hobbs + 1.5, hobbs - 100, hobbs - 98.7].map((reading) => reading.toFixed(1));
    return `N${(n % aircraft) + 1},u${(n % 199) + 2},${time(start)},${time(start + 5_400_000)},${readings.join(',')},${n % 4 === 0 ? '1.5' : ''},${notes}`;
  });
  return ['Aircraft,Pilot,Started,Completed,Hobbs Start,Hobbs End,Tach Start,Tach End,Oil Quarts,Notes', ...lines].join(
    '\n',
  );
}
