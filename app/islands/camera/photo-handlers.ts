import type { Frame } from '#app/domain/meters/engine/meter-context.ts';
import { texts } from '#app/domain/texts.ts';
import { analyzeImage } from './analyze-image.ts';
import type { MeterTarget } from './meter-target.ts';
import type { CapturedPhoto } from './captured-photo.ts';
import { fillReading } from './fill-reading.ts';
import { CameraError } from './camera-messages.ts';

/** What 'Use Photo' does, in two parts: while the dialog is open, and once it is closed. Throws `Told`. */
export type PhotoHandler = (photo: CapturedPhoto, signal: AbortSignal) => Promise<() => void>;

/** Has the photo read, then fills the reading in. */
export function readIntoField(meter: MeterTarget): PhotoHandler {
  return async (photo, signal) => {
    const scan = await analyzeImage(photo, meter, signal).catch(() => {
      throw new CameraError(texts.readingFailed);
    });
    if (!scan) throw new CameraError(texts.nothingDetected);
    return () => fillReading(scan, meter);
  };
}

/** Chooses the photo in the form's file input, with which it is sent as ever; `framed` hears of the frame while it stays. */
export function putIntoFileInput(inputId: string, onFrame: (frame: Frame | undefined) => void): PhotoHandler {
  return async ({ image, frame }) =>
    () => {
      const input = document.getElementById(inputId);
      if (!(input instanceof HTMLInputElement)) return;
      const files = new DataTransfer();
      files.items.add(new File([image], 'meter.jpg', { type: image.type }));
      input.files = files.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
      onFrame(frame);
      input.addEventListener('change', () => onFrame(undefined), { once: true });
      input.focus();
    };
}
