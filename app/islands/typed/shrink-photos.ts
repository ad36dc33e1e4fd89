import { MAX_UNSHRUNK_PHOTO_BYTES } from '#app/limits.ts';
import { putFiles } from './controls.ts';

const shrunk = new WeakSet<File>();

/** Puts smaller pictures in place of chosen ones, which a slow link takes minutes for; the server would shrink them, too. */
export async function shrinkPhotos(input: HTMLInputElement): Promise<void> {
  const chosen = [...(input.files ?? [])];
  if (!chosen.some(isLarge)) return;
  const { photoFromFile } = await import('../camera/captured-photo.ts');
  const shrink = async (file: File) => {
    if (!isLarge(file)) return file;
    // The server may decode what the browser cannot.
    const photo = await photoFromFile(file).catch(() => undefined);
    if (!photo || photo.image.size >= file.size) return file;
    return new File([photo.image], file.name, { type: photo.image.type });
  };
  const smaller = await Promise.all(chosen.map(shrink));
  const isSame = chosen.length === input.files?.length && chosen.every((file, at) => input.files?.[at] === file);
  if (!isSame) return;
  for (const file of smaller) shrunk.add(file);
  putFiles(input, smaller);
}

function isLarge(file: File): boolean {
  return file.type.startsWith('image/') && file.size > MAX_UNSHRUNK_PHOTO_BYTES && !shrunk.has(file);
}
