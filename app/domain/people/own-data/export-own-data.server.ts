import type { Db } from '#db/connect.server.ts';
import { readSnapshot, type Snapshot } from '#db/read-snapshot.ts';
import type { Actor } from '../../actor.ts';
import { photoName } from '../../archive/manifest.server.ts';
import { zipOf, type ZipMember } from '../../archive/zip-stream.server.ts';
import { OWN_DATA_QUERIES } from './own-data-queries.ts';

type Person = Pick<Actor, 'id' | 'schoolId'>;

/** Exports what is stored of one person as a zip; uses one connection of `db` until its reader is done. */
export async function* exportOwnData(db: Db, person: Person): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  yield* readSnapshot(db, (snapshot) => zipOf(members(snapshot, person)));
}

async function* members({ query }: Snapshot, { id, schoolId }: Person): AsyncGenerator<ZipMember, void> {
  yield { name: 'README.txt', content: bytes(README), compress: true };
  for (const [name, sql] of Object.entries(OWN_DATA_QUERIES)) {
    const rows = await query<object>(withBoth(sql), [id, schoolId]);
    yield { name: `${name}.json`, content: bytes(`${JSON.stringify(rows, null, 1)}\n`), compress: true };
  }
  const photos = await query<{ id: number }>(
    'select id from photos where school_id = $2 and user_id = $1 order by id',
    [id, schoolId],
  );
  for (const photo of photos) yield { name: photoName(photo.id), content: readPhoto(query, photo.id), compress: false };
}

function withBoth(sql: string): string {
  return `with whose as (select $1::integer as person, $2::integer as school) ${sql}`;
}

async function* readPhoto(query: Snapshot['query'], id: number): AsyncGenerator<Uint8Array, void> {
  for (const { content } of await query<{ content: Buffer }>('select content from photos where id = $1', [id]))
    yield content;
}

async function* bytes(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}

const README = [
  'What is stored of you: your profile, where you are signed in, your flights with their fuel and oil, scans and photos,',
  'squawks, what you have begun to type, and events that you did or that were about you. Each .json file is a list;',
  'times are UTC.',
  'Passwords, codes and tokens are stored as what cannot be turned back, and are left out. Nobody but you can fetch this.',
  '',
].join('\r\n');
