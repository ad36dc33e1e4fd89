import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findConfirmedPhotos, type ConfirmedPhoto } from '#app/domain/meters/confirmed-photos.server.ts';
import { findPhotoContent } from '#app/domain/meters/photos.server.ts';
import { toCsvLine } from '#app/server/csv.server.ts';
import { StartupError } from '#db/startup-error.ts';
import type { Db } from '#db/connect.server.ts';
import { writeWholeFile } from '#db/whole-file.ts';
import { tellRemoved } from './flightline/words.ts';
import { ensureDatabase, withDatabase } from './launcher/database.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { runCommand } from './launcher/run.ts';

const USAGE = 'npm run meters:export -- [--school <name> | --given] <folder>';
const LABELS = 'labels.csv';
const COLUMNS = ['file', 'reading', 'meter', 'aircraft', 'taken', 'detected', 'confidence', 'counter', 'digits'];
const GIVEN_COLUMNS = ['counter', 'digits', 'reading', 'meter'];

await runCommand(async () => {
  const { school, isGiven, folder } = readArguments();
  const { url } = await ensureDatabase(loadEnvironment());
  const count = await withDatabase(url, async (db) => {
    if (isGiven) return exportGivenCounters(db, folder);
    const schoolId = await findSchoolId(db, school);
    return exportPhotos(db, schoolId, await findConfirmedPhotos(db, schoolId), folder);
  });
  console.log(`${count} ${isGiven ? 'counters' : 'photos'}, with their readings in ${path.join(folder, LABELS)}.`);
});

function readArguments() {
  const { values, positionals } = parseOptions();
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new StartupError(USAGE);
  if (values.given && values.school !== undefined) throw new StartupError(USAGE);
  return { school: values.school, isGiven: values.given === true, folder };
}

function parseOptions() {
  try {
    return parseArgs({ options: { school: { type: 'string' }, given: { type: 'boolean' } }, allowPositionals: true });
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
  await makeFolder(folder, 'photos');
  let csv = toCsvLine(COLUMNS);
  for (const photo of photos) {
    const file = await writePhoto(db, schoolId, photo.photoId, folder, `photos/${photo.photoId}.jpg`);
    if (file === '') continue;
    const counter = await writePhoto(db, schoolId, photo.cropId, folder, `photos/${photo.photoId}-counter.jpg`);
    const { reading, meterType, tailNumber, takenAt, detectedText, confidence } = photo;
    const cells = [file, reading, meterType, tailNumber, takenAt.toISOString(), detectedText, confidence];
    csv += toCsvLine([...cells, counter, figuresOf(photo)]);
  }
  await writeLabels(folder, csv);
  return photos.length;
}

/** Writes the counters alone, of all schools that agreed, and nothing that says whose they are. */
async function exportGivenCounters(db: Db, folder: string): Promise<number> {
  await makeFolder(folder, 'counters');
  const schools = await db.selectFrom('schools').select('id').where('gives_meter_photos', '=', true).execute();
  let csv = toCsvLine(GIVEN_COLUMNS);
  let count = 0;
  for (const { id } of schools) {
    for (const photo of await findConfirmedPhotos(db, id)) {
      const counter = await writePhoto(db, id, photo.cropId, folder, `counters/${count + 1}.jpg`);
      if (counter === '') continue;
      count += 1;
      csv += toCsvLine([counter, figuresOf(photo), photo.reading, photo.meterType]);
    }
  }
  await writeLabels(folder, csv);
  return count;
}

/** Writes a photo; '' if it is gone, or none. */
async function writePhoto(db: Db, schoolId: number, id: number | null, folder: string, file: string): Promise<string> {
  const content = id === null ? undefined : await findPhotoContent(db, schoolId, id);
  if (!content) return '';
  await writeFile(path.join(folder, file), content);
  return file;
}

/** Makes the folder, or takes its labels away, so that photos of an export that is killed have none. */
async function makeFolder(folder: string, name: string): Promise<void> {
  await mkdir(path.join(folder, name), { recursive: true });
  await rm(path.join(folder, LABELS), { force: true });
}

async function writeLabels(folder: string, csv: string): Promise<void> {
  tellRemoved(await writeWholeFile(path.join(folder, LABELS), (partial) => writeFile(partial, csv)));
}

/** The figures that the counter shows, leading zeros included; '' if it does not show tenths. */
function figuresOf({ reading, digits }: ConfirmedPhoto): string {
  return /\.\d$/.test(reading) && digits !== null ? reading.replace('.', '').padStart(digits, '0') : '';
}
