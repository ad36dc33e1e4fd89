import type { Frame } from '#app/domain/meters/engine/meter-context.ts';
import { texts } from '#app/domain/texts.ts';
import { CAPTURED_JPEG_QUALITY, MAX_IMAGE_DATA_CHARACTERS, MAX_PHOTO_WIDTH_PIXELS } from '#app/limits.ts';
import { CameraError, cameraMessages } from './camera-messages.ts';

/** A frame as a form carries it. */
export function formatFrame({ x, y, width, height }: Frame): string {
  return [x, y, width, height].join(' ');
}

/** A photo as it is sent: a JPEG at most 800 px wide. */
export interface CapturedPhoto {
  image: Blob;
  /** The same as 'data:image/jpeg;base64,…'. */
  url: string;
  /** Makes sending it a second time harmless (C58). */
  key: string;
  /** Where the counter was held. */
  frame?: Frame;
}

/** Draws a picture small enough to be sent over a bad link (spec §9). Throws in the words of spec §5 and §8. */
export async function capturePhoto(picture: CanvasImageSource, width: number, height: number): Promise<CapturedPhoto> {
  const scale = Math.min(1, MAX_PHOTO_WIDTH_PIXELS / width);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new CameraError(cameraMessages.noCanvas);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const image = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, 'image/jpeg', CAPTURED_JPEG_QUALITY),
  );
  if (!image) throw new CameraError(cameraMessages.notCaptured);
  const url = await toDataUrl(image);
  if (base64Of(url).length > MAX_IMAGE_DATA_CHARACTERS) throw new CameraError(texts.photoTooLarge);
  return { image, url, key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
}

/** A chosen file as such a photo, upright as its EXIF says. Throws 'Told' for what the browser cannot decode. */
export async function photoFromFile(file: File): Promise<CapturedPhoto> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw new CameraError(texts.photoUnreadable);
  });
  return capturePhoto(picture, picture.width, picture.height).finally(() => picture.close());
}

/** What the server takes of a data URL. */
export function base64Of(url: string): string {
  return url.slice(url.indexOf(',') + 1);
}

function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new CameraError(cameraMessages.notCaptured));
    reader.readAsDataURL(blob);
  });
}
