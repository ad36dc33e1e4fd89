import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { wideMeter } from './pictures.ts';

const FOLDER = '.data/tests';

/** Flags with which Chromium has one camera, of 1280x480, that looks at an hour meter with this reading. */
export async function fakeCamera(reading: string): Promise<string[]> {
  const picture = await wideMeter(reading.replace('.', '').padStart(6, '0'), 1280);
  const film = path.resolve(FOLDER, `camera-${reading}.mjpeg`);
  await mkdir(FOLDER, { recursive: true });
  // Another worker may be reading the file.
  const unfinished = `${film}.${process.pid}`;
  await writeFile(unfinished, Buffer.concat([picture, picture]));
  await rename(unfinished, film);
  return ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${film}`];
}
