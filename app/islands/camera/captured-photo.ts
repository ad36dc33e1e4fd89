import type { Frame } from '#app/domain/meters/engine/meter-context.ts';
import { texts } from '#app/domain/texts.ts';
import { Told, words } from './camera-messages.ts';

/** A frame as a form carries it. */
export function asText({ x, y, width, height }: Frame): string {
  return [x, y, width, height].join(' ');
}

/** A photo as it is sent: a JPEG at most 800 px wide. */
export interface Photo {
  image: Blob;
  /** The same as 'data:image/jpeg;base64,…'. */
  url: string;
  /** Makes sending it a second time harmless (C58). */
  key: string;
  /** Where the counter was held. */
  frame?: Frame;
}

const WIDTH = 800;
const QUALITY = 0.5;
/** Characters of base64, as the server counts them (C48). */
const ENCODED_AT_MOST = 10 * 1024 * 1024;

/** Draws a picture small enough to be sent over a bad link (spec §9). Throws in the words of spec §5 and §8. */
export async function toPhoto(picture: CanvasImageSource, width: number, height: number): Promise<Photo> {
  const scale = Math.min(1, WIDTH / width);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new Told(words.noCanvas);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const image = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
  if (!image) throw new Told(words.notCaptured);
  const url = await asDataUrl(image);
  if (base64Of(url).length > ENCODED_AT_MOST) throw new Told(texts.photoTooLarge);
  return { image, url, key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
}

/** A chosen file as such a photo, upright as its EXIF says. Throws 'Told' for what the browser cannot decode. */
export async function photoFrom(file: File): Promise<Photo> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw new Told(texts.photoUnreadable);
  });
  return toPhoto(picture, picture.width, picture.height).finally(() => picture.close());
}

/** What the server takes of a data URL. */
export function base64Of(url: string): string {
  return url.slice(url.indexOf(',') + 1);
}

function asDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Told(words.notCaptured));
    reader.readAsDataURL(blob);
  });
}
