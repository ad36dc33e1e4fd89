import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Db, Trx } from '#db/connect.server.ts';

export interface ImportReference {
  schoolId: number;
  id: number;
}

/** Keeps a file in pieces, one of which is in memory at a time. */
export async function insertPieces(
  trx: Trx,
  { schoolId, id }: ImportReference,
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  let place = 0;
  for await (const content of pieces) {
    await trx.insertInto('import_pieces').values({ school_id: schoolId, import_id: id, place, content }).execute();
    place += 1;
  }
}

export async function deletePieces(trx: Trx, { schoolId, id }: ImportReference): Promise<void> {
  await trx.deleteFrom('import_pieces').where('school_id', '=', schoolId).where('import_id', '=', id).execute();
}

/** Runs `work` with the descriptor of a temporary file of the pieces; the system deletes it even if the process is killed. */
export async function withFileOfPieces<Result>(
  db: Db,
  named: ImportReference,
  work: (descriptor: number) => Promise<Result>,
): Promise<Result> {
  const file = await openDeletedTemporaryFile();
  try {
    for (let place = 0, piece = await findPiece(db, named, place); piece; piece = await findPiece(db, named, place)) {
      await file.writeFile(piece);
      place += 1;
    }
    return await work(file.fd);
  } finally {
    await file.close();
  }
}

async function findPiece(db: Db, { schoolId, id }: ImportReference, place: number): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('import_pieces')
    .select('content')
    .where('school_id', '=', schoolId)
    .where('import_id', '=', id)
    .where('place', '=', place)
    .executeTakeFirst();
  return row?.content;
}

export async function openDeletedTemporaryFile(): Promise<FileHandle> {
  const file = path.join(tmpdir(), `flightline-upload-${randomUUID()}`);
  const handle = await open(file, 'wx+', 0o600);
  await unlink(file);
  return handle;
}
