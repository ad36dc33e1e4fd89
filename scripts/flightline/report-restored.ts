import type { RestoredBackup } from '#db/backup/load.ts';
import { count, describeFault, describeRows } from './words.ts';

/** Says what was restored and what is wrong with it; returns the exit code. */
export function reportRestored({ header, rows, leftOut, migrated, aside, faults }: RestoredBackup): 0 | 1 {
  console.log(`RestoredBackup ${describeRows(rows)}, as of ${header.createdAt}.`);
  if (migrated.length > 0) console.log(`Then migrated to this version: ${migrated.join(', ')}.`);
  if (leftOut.length > 0) console.log(`Left out, because Flightline has no such table: ${leftOut.join(', ')}.`);
  if (aside !== undefined)
    console.log(`What was there before is in the schema ${aside}; remove it with: drop schema ${aside} cascade`);
  for (const fault of faults) console.log(describeFault(fault));
  if (faults.length === 0) console.log('The doctor finds nothing wrong in it.');
  else console.log(`${count(faults.length, 'fault')} came with the backup.`);
  return faults.length === 0 ? 0 : 1;
}
