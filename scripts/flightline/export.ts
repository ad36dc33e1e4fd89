import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Db } from '#db/connect.server.ts';
import { StartupError } from '#db/startup-error.ts';
import { inTransaction } from '#db/transaction.ts';
import { writeWholeFile } from '#db/whole-file.ts';
import { allowMissingSecret } from '../launcher/secret.ts';
import { ensureDatabase, withDatabase } from '../launcher/database.ts';
import { defineCommand } from './command.ts';
import { assertCurrentSchema } from './current-schema.ts';
import { findSchool } from './find-school.ts';
import { size, tellRemoved } from './words.ts';

export const command = defineCommand({
  summary: 'writes everything of a school to a zip, to move with',
  help: `Writes one moment of a school to FILE, a zip: every table as CSV and JSON lines, the photos, corrections and events,
and README.txt, which says what each file is and what is left out. The product may run. It exists only once it is complete.
\`import all FILE\` brings it into another installation, as a school of its own.
Exit codes: 0 the file is written; 1 it is not.`,
  operands: ['FILE'],
  options: {
    school: { type: 'string', about: 'its name, where there are several' },
    overwrite: { type: 'boolean', about: 'replaces FILE, if it exists' },
  },
  run: async ({ operands: [target = ''], values, settings }) => {
    const file = path.resolve(target);
    if (!values.overwrite && (await stat(file).catch(() => undefined)))
      throw new StartupError(`${file} exists: give another name, or --overwrite.`);
    const { url } = await ensureDatabase(settings);
    allowMissingSecret();
    return withDatabase(url, async (db): Promise<0> => {
      await assertCurrentSchema(db);
      const school = await findSchool(db, values.school);
      const start = Date.now();
      await writeSchool(db, school.id, file);
      const { size: bytes } = await stat(file);
      const seconds = ((Date.now() - start) / 1000).toFixed(1);
      console.log(`Everything of ${school.name}: ${file}, ${size(bytes)}, in ${seconds} s.`);
      return 0;
    });
  },
});

async function writeSchool(db: Db, schoolId: number, file: string): Promise<void> {
  // The modules are imported late, because they read the settings, and the database is known only now.
  const { exportSchool } = await import('#app/domain/archive/export-school.server.ts');
  const { writeAuditEntry } = await import('#app/domain/audit/write-audit-entry.server.ts');
  await inTransaction(db, (trx) =>
    writeAuditEntry(trx, { id: null, schoolId }, { action: 'exported everything', subject: 'export', after: {} }),
  );
  const removed = await writeWholeFile(file, async (partial) => {
    const target = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(Readable.from(exportSchool(db, schoolId), { objectMode: false }), target);
  });
  tellRemoved(removed);
}
