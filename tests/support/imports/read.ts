import { readSheets } from '#app/domain/imports/files/read-sheets.server.ts';
import { problemText } from '#app/domain/imports/import-texts.server.ts';
import type { Answers } from '#app/domain/imports/reading/answers.ts';
import { findFileTables } from '#app/domain/imports/reading/find-file-tables.ts';
import { interpretSheets } from '#app/domain/imports/reading/read-file.server.ts';
import type { ImportKind } from '#app/domain/imports/records.ts';
import { parseRows } from '#app/domain/imports/values/parse-rows.server.ts';

interface File {
  content: Uint8Array;
  name?: string;
}

const OF_SCHOOL = { schoolId: 1 };

/** The first table of a file. */
export async function tableOf({ content, name = 'club.csv' }: File) {
  const [part] = await findFileTables((await readSheets(content, name, OF_SCHOOL)).sheets);
  if (!part) throw new Error('the file has no table');
  return part;
}

/** What a file says with these answers, and what it leaves open. */
export async function readingOf({ content, name = 'club.csv' }: File, kind: ImportKind | null, answers: Answers = {}) {
  return interpretSheets(await readSheets(content, name, { ...OF_SCHOOL, encoding: answers.encoding }), kind, answers);
}

/** Records and problems of a file, each problem as people read it, whatever the file leaves open. */
export async function rowsOf<Kind extends ImportKind>(file: File, kind: Kind, answers: Answers = {}, timeZone = 'UTC') {
  const { records, problems, remarks } = await parseRows(
    { ...(await readingOf(file, kind, answers)), kind },
    { timeZone },
  );
  return { records, problems: problems.map(problemText), remarks };
}

export const csvOf = (lines: string[], encoding: BufferEncoding = 'utf8') => ({
  content: Buffer.from(lines.join('\n'), encoding),
});
