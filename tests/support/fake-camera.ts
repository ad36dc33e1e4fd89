import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { plate } from './pictures.ts';

/** Flags with which Chromium has one camera, of 1280x480, that looks at a plate with this reading. */
export async function fakeCamera(reading: string): Promise<string[]> {
  const picture = await plate(reading, { width: 1280, height: 480 });
  const film = path.join(await mkdtemp(path.join(tmpdir(), 'flightline-camera-')), 'meter.mjpeg');
  await writeFile(film, Buffer.concat([picture, picture]));
  return ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${film}`];
}
