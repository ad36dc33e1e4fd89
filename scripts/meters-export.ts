import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findConfirmedPhotos, type ConfirmedPhoto } from '#app/domain/meters/confirmed-photos.server.ts';
import { findPhoto } from '#app/domain/meters/photos.server.ts';
import { csvLine } from '#app/server/csv.server.ts';
import { StartupError } from '#db/startup-error.ts';
import type { Db } from '#db/connect.server.ts';
import { provideDatabase, withDatabase } from './launcher/database.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { runCommand } from './launcher/run.ts';

const USAGE = 'npm run meters:export -- [--school <name>] <folder>';
const COLUMNS = ['file', 'reading', 'meter', 'aircraft', 'taken', 'detected', 'confidence'];

/** `npm run meters:export`: a school's confirmed meter photos with their readings, as a training set of its own. */
await runCommand(async () => {
  const { school, folder } = readArguments();
  const url = await provideDatabase(loadEnvironment());
  const count = await withDatabase(url, async (db) => {
    const schoolId = await findSchoolId(db, school);
    return write(db, schoolId, await findConfirmedPhotos(db, schoolId), folder);
  });
  console.log(`${count} photos, with their readings in ${path.join(folder, 'labels.csv')}.`);
});

function readArguments() {
  const { values, positionals } = parse();
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new StartupError(USAGE);
  return { school: values.school, folder };
}

function parse() {
  try {
    return parseArgs({ options: { school: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    throw new StartupError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

/** The school of that name; the only one there is where none is named. */
async function findSchoolId(db: Db, name: string | undefined): Promise<number> {
  const found = await db
    .selectFrom('schools')
    .select('id')
    .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
    .execute();
  const [school] = found;
  if (school && found.length === 1) return school.id;
  if (name === undefined) throw new StartupError(`Say whose photos: there are ${found.length} schools here.\n${USAGE}`);
  throw new StartupError(`There are ${found.length} schools called ${name} here.`);
}

async function write(db: Db, schoolId: number, labels: ConfirmedPhoto[], folder: string): Promise<number> {
  await mkdir(path.join(folder, 'photos'), { recursive: true });
  let list = csvLine(COLUMNS);
  for (const label of labels) {
    const file = `photos/${label.photoId}.jpg`;
    const content = await findPhoto(db, schoolId, label.photoId);
    if (!content) continue;
    await writeFile(path.join(folder, file), content);
    const { reading, meterType, tailNumber, takenAt, detectedText, confidence } = label;
    list += csvLine([file, reading, meterType, tailNumber, takenAt.toISOString(), detectedText, confidence]);
  }
  await writeFile(path.join(folder, 'labels.csv'), list);
  return labels.length;
}
