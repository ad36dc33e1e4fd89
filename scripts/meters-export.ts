import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findConfirmedPhotos, type ConfirmedPhoto } from '#app/domain/meters/confirmed-photos.server.ts';
import { findPhoto } from '#app/domain/meters/photos.server.ts';
import { toCsvLine } from '#app/server/csv.server.ts';
import { StartupError } from '#db/startup-error.ts';
import type { Db } from '#db/connect.server.ts';
import { ensureDatabase, withDatabase } from './launcher/database.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { runCommand } from './launcher/run.ts';

const USAGE = 'npm run meters:export -- [--school <name>] <folder>';
const COLUMNS = ['file', 'reading', 'meter', 'aircraft', 'taken', 'detected', 'confidence'];

await runCommand(async () => {
  const { school, folder } = readArguments();
  const url = await ensureDatabase(loadEnvironment());
  const count = await withDatabase(url, async (db) => {
    const schoolId = await findSchoolId(db, school);
    return exportPhotos(db, schoolId, await findConfirmedPhotos(db, schoolId), folder);
  });
  console.log(`${count} photos, with their readings in ${path.join(folder, 'labels.csv')}.`);
});

function readArguments() {
  const { values, positionals } = parseOptions();
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new StartupError(USAGE);
  return { school: values.school, folder };
}

function parseOptions() {
  try {
    return parseArgs({ options: { school: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    throw new StartupError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

async function findSchoolId(db: Db, name: string | undefined): Promise<number> {
  const schools = await db
    .selectFrom('schools')
    .select('id')
    .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
    .execute();
  const [school] = schools;
  if (school && schools.length === 1) return school.id;
  if (name === undefined)
    throw new StartupError(`Say whose photos: there are ${schools.length} schools here.\n${USAGE}`);
  throw new StartupError(`There are ${schools.length} schools called ${name} here.`);
}

async function exportPhotos(db: Db, schoolId: number, photos: ConfirmedPhoto[], folder: string): Promise<number> {
  await mkdir(path.join(folder, 'photos'), { recursive: true });
  let csv = toCsvLine(COLUMNS);
  for (const photo of photos) {
    const file = `photos/${photo.photoId}.jpg`;
    const content = await findPhoto(db, schoolId, photo.photoId);
    if (!content) continue;
    await writeFile(path.join(folder, file), content);
    const { reading, meterType, tailNumber, takenAt, detectedText, confidence } = photo;
    csv += toCsvLine([file, reading, meterType, tailNumber, takenAt.toISOString(), detectedText, confidence]);
  }
  await writeFile(path.join(folder, 'labels.csv'), csv);
  return photos.length;
}
