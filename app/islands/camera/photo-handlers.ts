import type { PhotoRegion } from '#app/domain/meters/engine/meter-context.ts';
import { type ScanView, toScanView } from '#app/domain/meters/scan-view.ts';
import { texts } from '#app/domain/texts.ts';
import { analyzeImage, fillReading, type MeterTarget } from './analyze-image.ts';
import { CameraError, type CapturedPhoto } from './captured-photo.ts';

/** Runs on 'Use Photo'; returns what to do once the dialog is closed. Throws CameraError. */
export type PhotoHandler = (photo: CapturedPhoto, signal: AbortSignal) => Promise<() => void>;

export function createReadingPhotoHandler(target: MeterTarget): PhotoHandler {
  return async (photo, signal) => {
    const scan = await analyzeImage(photo, target, signal).catch(() => {
      throw new CameraError(texts.readingFailed);
    });
    if (!scan) throw new CameraError(texts.nothingDetected);
    return () => {
      fillReading(scan, target);
      if (isSure(toScanView(scan))) openNextCamera(target);
    };
  };
}

/** Returns true if the pilot need not look at the reading before the next photo. */
function isSure({ confidence, alternative }: ScanView): boolean {
  return confidence === 'High' && !alternative;
}

function openNextCamera({ readingId }: MeterTarget): void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('.reading-window:has(> button) > input')];
  const next = inputs[inputs.findIndex(({ id }) => id === readingId) + 1];
  const button = next?.value === '' ? next.parentElement?.querySelector('button') : null;
  button?.focus();
  button?.click();
}

/** Puts the photo into a file input. `onFrame` also gets undefined, once another file replaces it. */
export function createFileInputPhotoHandler(
  inputId: string,
  onFrame: (frame: PhotoRegion | undefined) => void,
): PhotoHandler {
  return async ({ image, frame }) =>
    () => {
      const input = document.getElementById(inputId);
      if (!(input instanceof HTMLInputElement)) return;
      const transfer = new DataTransfer();
      transfer.items.add(new File([image], 'meter.jpg', { type: image.type }));
      input.files = transfer.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
      onFrame(frame);
      input.addEventListener('change', () => onFrame(undefined), { once: true });
      input.focus();
    };
}
