import { headsFile, readHeads } from '#app/domain/audit/chain-heads.server.ts';
import { findFaultsOfOneMoment } from '#db/doctor/find-faults.ts';
import type { Db } from '#db/connect.server.ts';
import { acceptDifferingRows, repair } from '#db/doctor/repairs.ts';
import { RECORD_RULES } from '#db/doctor/rules/record.ts';
import { ensureDatabase, withDatabase } from '../launcher/database.ts';
import type { LaunchSettings } from '../launcher/environment.ts';
import { defineCommand } from './command.ts';
import {
  checkActivity,
  checkClock,
  checkGuard,
  checkOrderOfReadings,
  checkOutbox,
  checkProtection,
  checkSchema,
  checkSchemaParts,
  checkSequences,
  checkServer,
  checkTimeZones,
} from './doctor/check-database.ts';
import { checkBackups } from './doctor/check-backups.ts';
import { checkDisks, checkMail } from './doctor/check-machine.ts';
import { checkSettings } from './doctor/check-settings.ts';
import { describeFinding, type Finding } from './doctor/finding.ts';
import { count, describeFault } from './words.ts';

export const command = defineCommand({
  summary: 'looks for what is wrong: settings, schema, rows, backups, disk, mail, clock',
  help: `Looks at the settings, the schema's version, the disks, the mail server, the time zones, the clocks, the last backup and the
rows of the database, while the product runs, and changes nothing. It names each fault, the row that has it and how it is mended.
With --mend it then ends sessions and removes remains that are wrong and that nobody needs, as the faults say; it changes no
flight, aircraft or event. With --accept it puts into the activity how rows stand that differ from it, once it is known that they
are right, as after a change by hand or by an older release.
Exit codes: 0 nothing is wrong (notes may be there), or all of it was mended; 1 a fault is left.`,
  operands: [],
  options: {
    quiet: { type: 'boolean', about: 'prints faults only' },
    mend: { type: 'boolean', about: 'mends what needs nobody to be asked' },
    accept: { type: 'boolean', about: 'records rows as they stand that are not what the activity says' },
  },
  run: async ({ values, settings }) => {
    const { url } = await ensureDatabase(settings);
    let faults = 0;
    const print = (findings: Finding[]) => {
      for (const finding of findings) {
        if (finding.level === 'FAULT') faults += 1;
        if (finding.level === 'FAULT' || !values.quiet) console.log(describeFinding(finding));
      }
    };
    print(await checkSettings(settings, url));
    print(await checkDisks(settings));
    print([await checkMail(settings)]);
    const noted = await readHeads(headsFile(settings.DATA_DIR));
    print([await withDatabase(url, (db) => checkActivity(db, noted))]);
    const broken = await withDatabase(url, (db) => checkDatabase(db, settings, print, values));
    faults += broken;
    console.log(faults === 0 ? 'Nothing is wrong.' : `${count(faults, 'fault')}.`);
    return faults === 0 ? 0 : 1;
  },
});

const CHECKS = [
  ...[checkGuard, checkTimeZones, checkProtection, checkSchemaParts, checkSequences, checkOutbox],
  checkOrderOfReadings,
];

/** Prints the findings; returns the number of rules that are broken and not mended. */
async function checkDatabase(
  db: Db,
  settings: LaunchSettings,
  print: (findings: Finding[]) => void,
  { mend = false, accept = false }: { mend?: boolean; accept?: boolean },
): Promise<number> {
  print(await checkServer(db));
  print([await checkClock(db)]);
  const schema = await checkSchema(db);
  print([schema]);
  if (schema.level === 'FAULT') return 0;
  for (const check of CHECKS) print(await check(db));
  print([await checkBackups(db, settings)]);
  const found = await findFaultsOfOneMoment(db);
  for (const each of found) console.log(describeFault(each));
  const mended = mend ? await repair(db, found) : [];
  for (const { fault } of mended) console.log(`MENDED  ${fault}`);
  const accepted = accept ? await acceptDifferingRows(db) : 0;
  if (accepted > 0) console.log(`ACCEPTED ${count(accepted, 'row')} as they stand`);
  const left = found.filter(({ rule }) => !accept || !(rule in RECORD_RULES));
  return left.length - mended.length;
}
