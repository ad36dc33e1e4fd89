import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#app/domain/app-error.ts';
import { type ImportKind, STORED_KINDS } from '#app/domain/imports/records.ts';
import { MAX_IMPORT_BYTES } from '#app/limits.ts';
import type { Db } from '#db/connect.server.ts';
import { StartupError } from '#db/startup-error.ts';
import { allowMissingSecret } from '../launcher/secret.ts';
import { ensureDatabase, withDatabase } from '../launcher/database.ts';
import { type Call, defineCommand, UsageError } from './command.ts';
import { assertCurrentSchema } from './current-schema.ts';
import { findSchool } from './find-school.ts';
import { importAll } from './import-all.ts';
import { count } from './words.ts';

const options = {
  preview: { type: 'boolean', about: 'says what it would do, and writes nothing' },
  school: { type: 'string', about: 'the name of the school, where there are several' },
  'send-invitations': { type: 'boolean', about: 'mails imported people a link to choose a password' },
  administrators: { type: 'boolean', about: 'imports administrators, too' },
  'odd-readings': { type: 'boolean', about: 'imports flights whose readings or times do not fit, too' },
  'leave-out-refused': { type: 'boolean', about: 'imports the other rows where some are refused' },
  dates: { type: 'string', about: 'how the file writes days: dmy, mdy or ymd' },
  decimals: { type: 'string', about: 'what stands before decimals: point or comma' },
  units: { type: 'string', about: 'of lengths and readings: minutes, hours, hmm, tenths, hundredths' },
  encoding: { type: 'string', about: "of a text file, such as 'windows-1250'" },
  sheet: { type: 'string', about: 'the table that is read, where the file has several' },
  headings: { type: 'string', about: 'the row of the headings; 0 where the file has none' },
  columns: { type: 'string', about: 'JSON: heading → field' },
  values: { type: 'string', about: 'JSON: field → value for every row' },
  usernames: { type: 'string', about: 'JSON, with all: username of the export → the one that they get here' },
  words: { type: 'string', about: 'JSON: field → word of the file → its meaning' },
} as const;

type Values = Call<typeof options>['values'];

export const command = defineCommand({
  summary: 'imports a fleet, people, flights, squawks or inspections from a file',
  help: `Imports FILE, a CSV or xlsx file, into the school; KIND is ${STORED_KINDS.join(', ')}. Its columns are found by their names.
Either all rows are written or none: where one is refused, it says which and why, and exits with 1. What its cells leave
open, such as the order of day and month, it asks, and exits with 2: the answers are options. A row whose record is
there already is left out, so that the same file can be imported again. Administrators undo an import at
/school-settings/import. With the kind all, FILE is a zip that \`export\` wrote: it becomes a school of its own, and where
somebody here has a username of it, it asks for another. The product may run.`,
  operands: ['KIND', 'FILE'],
  options,
  run: async ({ operands: [name = '', file = ''], values, settings }) => {
    const kind = STORED_KINDS.find((one) => one === name);
    if (!kind) throw new UsageError(`There is no kind '${name}'. It is one of ${STORED_KINDS.join(', ')}.`);
    if (kind === 'all') return importAll(path.resolve(file), values.usernames, settings);
    const content = await readBounded(file);
    const { url } = await ensureDatabase(settings);
    allowMissingSecret();
    return withDatabase(url, async (db) => {
      await assertCurrentSchema(db);
      return importInto(db, kind, { content, name: path.basename(file) }, values).catch(async (error: unknown) => {
        const { OpenQuestionsError } = await import('#app/domain/imports/open-questions.ts');
        if (error instanceof OpenQuestionsError) throw new UsageError(error.message);
        throw error instanceof AppError ? new StartupError(error.message) : error;
      });
    });
  },
});

async function readBounded(file: string): Promise<Buffer> {
  const { size } = await stat(file);
  if (size > MAX_IMPORT_BYTES) {
    const { importFileTexts } = await import('#app/domain/imports/files/import-file-texts.ts');
    throw new StartupError(importFileTexts.tooLarge);
  }
  return readFile(file);
}

async function importInto(
  db: Db,
  kind: ImportKind,
  file: { content: Buffer; name: string },
  values: Values,
): Promise<0 | 1> {
  // The module is imported late, because it reads the settings, and the database is known only now.
  const { importAsServerOperator } = await import('#app/domain/imports/run-import.server.ts');
  const { previewImport } = await import('#app/domain/imports/upload-import.server.ts');
  const { countSkippedRows } = await import('#app/domain/imports/import-preview.server.ts');
  const { problemText, rowNumbersText } = await import('#app/domain/imports/import-texts.server.ts');
  const options = {
    sendInvitations: values['send-invitations'] ?? false,
    administrators: values.administrators ?? false,
    oddReadings: values['odd-readings'] ?? false,
    leaveOutRefused: values['leave-out-refused'] ?? false,
  };
  const choices = { answers: await readAnswers(values), options };
  const { id: schoolId, name, timeZone } = await findSchool(db, values.school);
  const school = { schoolId, timeZone };
  const preview = await previewImport(db, school, file, kind, choices);
  for (const { rows, ...cause } of preview.causes)
    if (rows > 1) console.log(`${count(rows, 'row')} are refused like this one: ${problemText(cause)}`);
  for (const problem of preview.problems) console.log(problemText(problem));
  for (const difference of preview.differences) console.log(`Different: ${problemText(difference)}`);
  for (const remark of preview.remarks) console.log(`Note: ${problemText(remark)}`);
  const { rows, added, changed, present, different, refused } = preview;
  const skipped = countSkippedRows(preview);
  const others =
    skipped > 0 ? `, ${skipped} skipped (sums, repeated headings, footers: ${rowNumbersText(preview.skipped)})` : '';
  console.log(
    `${count(rows, 'row')}: ${added} new, ${changed} changed, ${present} there already, ${different} different, ${refused} refused${others}.`,
  );
  const isRefused = refused > 0 && !options.leaveOutRefused;
  if (values.preview) return refused > 0 ? 1 : 0;
  if (isRefused) {
    console.log('Nothing was imported.');
    return 1;
  }
  await importAsServerOperator(db, school, file, kind, { ...choices, preview });
  console.log(`Imported into ${name}.`);
  return 0;
}

/** Throws a UsageError for what is no answer. */
async function readAnswers(values: Values) {
  const { ANSWER_NAMES, answerTextsSchema } = await import('#app/domain/imports/reading/answers.ts');
  const given = Object.fromEntries(ANSWER_NAMES.map((name) => [name, values[name]]));
  const { success, data, error } = answerTextsSchema.safeParse(given);
  if (success) return data;
  const [issue] = error.issues;
  throw new UsageError(`--${issue?.path.join('.')}: ${issue?.message}`);
}
