import type { PhotoRegion } from '#app/domain/meters/engine/meter-context.ts';
import { texts } from '#app/domain/texts.ts';
import { CAPTURED_JPEG_QUALITY, MAX_IMAGE_DATA_CHARACTERS, MAX_PHOTO_WIDTH_PIXELS } from '#app/limits.ts';

export interface CapturedPhoto {
  image: Blob;
  dataUrl: string;
  idempotencyKey: string;
  frame?: PhotoRegion;
}

export function formatFrame({ x, y, width, height }: PhotoRegion): string {
  return [x, y, width, height].join(' ');
}

/** Returns where a part of the camera's picture lies, as fractions of the whole. */
export function relativeFrame(whole: DOMRect, part: DOMRect): PhotoRegion {
  const fraction = (length: number, of: number) => Math.min(1, Math.max(0, Number((length / of).toFixed(4))));
  return {
    x: fraction(part.x - whole.x, whole.width),
    y: fraction(part.y - whole.y, whole.height),
    width: fraction(part.width, whole.width),
    height: fraction(part.height, whole.height),
  };
}

/** Scales a picture down to a JPEG that uploads over a slow link. Throws CameraError. */
export async function capturePhoto(source: CanvasImageSource, width: number, height: number): Promise<CapturedPhoto> {
  const scale = Math.min(1, MAX_PHOTO_WIDTH_PIXELS / width);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new CameraError(cameraMessages.noCanvas);
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  const image = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, 'image/jpeg', CAPTURED_JPEG_QUALITY),
  );
  if (!image) throw new CameraError(cameraMessages.notCaptured);
  const dataUrl = await toDataUrl(image);
  if (base64OfDataUrl(dataUrl).length > MAX_IMAGE_DATA_CHARACTERS) throw new CameraError(texts.photoTooLarge);
  return { image, dataUrl, idempotencyKey: crypto.getRandomValues(new Uint32Array(4)).join('-') };
}

/** Rotates the photo as its EXIF says. Throws CameraError for what the browser cannot decode. */
export async function photoFromFile(file: File): Promise<CapturedPhoto> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw new CameraError(texts.photoUnreadable);
  });
  return capturePhoto(bitmap, bitmap.width, bitmap.height).finally(() => bitmap.close());
}

export function base64OfDataUrl(dataUrl: string): string {
  return dataUrl.slice(dataUrl.indexOf(',') + 1);
}

function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new CameraError(cameraMessages.notCaptured));
    reader.readAsDataURL(blob);
  });
}

export const cameraMessages = {
  noAccess: (reason: string) => `Failed to access camera: ${reason}. Please ensure you've granted permission.`,
  noVideo: 'Failed to start video stream. Please try again.',
  notReady: 'Camera stream not ready. Please try again.',
  noCanvas: 'Could not initialize canvas context',
  notCaptured: 'Failed to capture photo. Please try again.',
} as const;

export class CameraError extends Error {}

export function messageOf(error: unknown, fallback: string): string {
  return error instanceof CameraError ? error.message : fallback;
}
