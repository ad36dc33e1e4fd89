import { createRequire } from 'node:module';
import type { NetName } from './nets.server.ts';

export function modelFiles(): Record<NetName, string> {
  const { resolve } = createRequire(import.meta.url);
  const file = (name: NetName) => resolve(`#app/domain/meters/models/${name}.onnx`);
  return { finder: file('finder'), closer: file('closer'), reader: file('reader') };
}

export function warmUpPhotoPath(): string {
  return createRequire(import.meta.url).resolve('#app/domain/meters/models/warm-up.jpg');
}
