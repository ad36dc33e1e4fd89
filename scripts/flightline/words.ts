import type { Fault } from '#db/doctor/find-faults.ts';
import type { RestoredBackup } from '#db/backup/load.ts';

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

/** Says what was restored and what is wrong with it; returns the exit code. */
export function reportRestored({ header, rows, leftOut, migrated, aside, faults }: RestoredBackup): 0 | 1 {
  console.log(`Restored ${describeRows(rows)}, as of ${header.createdAt}.`);
  if (migrated.length > 0) console.log(`Then migrated to this version: ${migrated.join(', ')}.`);
  if (leftOut.length > 0) console.log(`Left out, because Flightline has no such table: ${leftOut.join(', ')}.`);
  if (aside !== undefined)
    console.log(`What was there before is in the schema ${aside}; remove it with: drop schema ${aside} cascade`);
  for (const fault of faults) console.log(describeFault(fault));
  if (faults.length === 0) console.log('The doctor finds nothing wrong in it.');
  else console.log(`${count(faults.length, 'fault')} came with the backup.`);
  return faults.length === 0 ? 0 : 1;
}

/** Names what a command has removed of killed ones before it. */
export function tellRemoved(places: readonly string[]): void {
  for (const place of places) console.log(`Removed ${place}, which a command that was killed had left.`);
}
