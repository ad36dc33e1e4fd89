import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { wideMeter } from './pictures.ts';

/** Flags with which Chromium has one camera, of 1280x480, that looks at an hour meter with this reading. */
export async function fakeCamera(reading: string): Promise<string[]> {
  const picture = await wideMeter(reading.replace('.', '').padStart(6, '0'), 1280);
  const film = path.join(await mkdtemp(path.join(tmpdir(), 'flightline-camera-')), 'meter.mjpeg');
  await writeFile(film, Buffer.concat([picture, picture]));
  return ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${film}`];
}
