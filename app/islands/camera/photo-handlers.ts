import type { Frame } from '#app/domain/meters/engine/meter-context.ts';
import { texts } from '#app/domain/texts.ts';
import { analyze } from './analyze-image.ts';
import type { Meter } from './meter-target.ts';
import type { Photo } from './captured-photo.ts';
import { takeReading } from './fill-reading.ts';
import { Told } from './camera-messages.ts';

/** What 'Use Photo' does, in two parts: while the dialog is open, and once it is closed. Throws `Told`. */
export type UsePhoto = (photo: Photo, signal: AbortSignal) => Promise<() => void>;

/** Has the photo read, then fills the reading in. */
export function toRead(meter: Meter): UsePhoto {
  return async (photo, signal) => {
    const scan = await analyze(photo, meter, signal).catch(() => {
      throw new Told(texts.readingFailed);
    });
    if (!scan) throw new Told(texts.nothingDetected);
    return () => takeReading(scan, meter);
  };
}

/** Chooses the photo in the form's file input, with which it is sent as ever; `framed` hears of the frame while it stays. */
export function toChoose(inputId: string, framed: (frame: Frame | undefined) => void): UsePhoto {
  return async ({ image, frame }) => () => {
    const input = document.getElementById(inputId);
    if (!(input instanceof HTMLInputElement)) return;
    const files = new DataTransfer();
    files.items.add(new File([image], 'meter.jpg', { type: image.type }));
    input.files = files.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    framed(frame);
    input.addEventListener('change', () => framed(undefined), { once: true });
    input.focus();
  };
}
