import type { Fault } from '#db/doctor/find-faults.ts';

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

export function size(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const unit = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${unit === 0 ? bytes : (bytes / 1000 ** unit).toFixed(1)} ${units[unit]}`;
}

export function describeRows(rows: Record<string, number>): string {
  const total = Object.values(rows).reduce((sum, each) => sum + each, 0);
  return `${count(total, 'row')} of ${count(Object.keys(rows).length, 'table')}, ${count(rows.flight_logs ?? 0, 'flight')} among them`;
}

/** Describes a fault, the rows that have it, and how it is mended. */
export function describeFault({ fault, rows, named, mend }: Fault): string {
  const more = rows > named.length ? [`… and ${count(rows - named.length, 'more row')}`] : [];
  return [
    `FAULT   ${fault}`,
    ...[...named, ...more].map((row) => `          ${row}`),
    `        To mend it: ${mend}`,
  ].join('\n');
}
