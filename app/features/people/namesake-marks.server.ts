import type { Actor } from '#app/domain/actor.ts';
import { findNamesakeMarks, type NamesakeMarks } from '#app/domain/people/former/namesakes.server.ts';
import { db } from '#app/server/db.server.ts';
import { shareInRequest } from '#app/server/query/share-in-request.server.ts';

/** Of the reader's school; asked once by the parts of a page that load together. */
export function loadNamesakeMarks(reader: Actor): Promise<NamesakeMarks> {
  return shareInRequest(`namesakes ${reader.schoolId}`, () => findNamesakeMarks(db, reader));
}
