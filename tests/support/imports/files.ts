import type { Db } from '#db/connect.server.ts';
import type { ImportKind } from '#app/domain/imports/records.ts';
import { type ImportOptions, NO_OPTIONS } from '#app/domain/imports/options.server.ts';
import { requestApply, requestUndo } from '#app/domain/imports/request-import.server.ts';
import { requireImport } from '#app/domain/imports/queries.server.ts';
import { runRequestedWork } from '#app/domain/imports/run-import.server.ts';
import type { ImportFile } from '#app/domain/imports/import-file.server.ts';
import { uploadImport } from '#app/domain/imports/upload-import.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { ORIGIN } from '#tests/support/requests.ts';

/** The headings of a file of each kind. */
const HEADINGS = {
  fleet: 'tailNumber,make,model,year,lastHobbs,lastTach',
  people: 'username,name,email,role',
  flights:
    'Aircraft,Pilot,Instructor,Started,Completed,Hobbs Start,Hobbs End,Tach Start,Tach End,Oil Quarts,Squawks,Fuel (gal)',
  squawks: 'tailNumber,text,author,state,reportedAt,remark',
  inspections: 'tailNumber,name,dueTach,dueOn,intervalHours,intervalMonths',
} satisfies Record<ImportKind, string>;

/** A file of these lines below its heading. */
export function fileOf(kind: ImportKind, lines: string[], name = 'club.csv') {
  return { content: Buffer.from([HEADINGS[kind], ...lines].join('\n')), name };
}

export async function upload(db: Db, member: Member, kind: ImportKind, lines: string[], name?: string) {
  return uploadImport(db, { member }, fileOf(kind, lines, name), kind);
}

/** Imports a file as a screen does; what the import says then. */
export async function importFile(
  db: Db,
  member: Member,
  kind: ImportKind,
  file: ImportFile,
  options: Partial<ImportOptions> = {},
) {
  const { id } = await uploadImport(db, { member }, file, kind);
  return apply(db, member, id, options);
}

export const importLines = (
  db: Db,
  member: Member,
  kind: ImportKind,
  lines: string[],
  options?: Partial<ImportOptions>,
) => importFile(db, member, kind, fileOf(kind, lines), options);

export async function apply(db: Db, member: Member, id: number, options: Partial<ImportOptions> = {}) {
  await requestApply(db, { member }, id, { ...NO_OPTIONS, ...options });
  await runRequestedWork({ work: db, progress: db }, { id, schoolId: member.schoolId });
  return requireImport(db, member.schoolId, id);
}

export async function undo(db: Db, member: Member, id: number) {
  await requestUndo(db, { member }, id);
  await runRequestedWork({ work: db, progress: db }, { id, schoolId: member.schoolId });
  return requireImport(db, member.schoolId, id);
}

export interface Fields extends Record<string, unknown> {
  file?: Uint8Array;
  fileName?: string;
}

/** The request of a form or a call that may bring a file. */
export function multipart(path: string, fields: Fields, cookie: string, headers: Record<string, string> = {}): Request {
  const { file, fileName = 'club.csv', ...others } = fields;
  const body = new FormData();
  for (const [name, value] of Object.entries(others)) body.append(name, String(value));
  if (file) body.append('file', new File([Buffer.from(file)], fileName));
  return new Request(ORIGIN + path, { method: 'POST', headers: { cookie, origin: ORIGIN, ...headers }, body });
}
