import { showToast } from '#app/ui/page/toast-region.tsx';
import { texts } from '#app/domain/texts.ts';
import { analyze } from './analyze-image.ts';
import type { Meter } from './meter-target.ts';
import { photoFrom } from './captured-photo.ts';
import { takeReading } from './fill-reading.ts';

/** Reads the photo that a file input holds into its reading. Throws where sending the form may still do it. */
export async function readChosen(input: HTMLInputElement, meter: Meter): Promise<void> {
  const [file] = input.files ?? [];
  if (!file) return;
  const scan = await analyze(await photoFrom(file), meter);
  if (!input.isConnected) return;
  if (!scan) return showToast({ title: 'Error', text: texts.nothingDetected, tone: 'destructive' });
  // The reading has its photo; the form need not carry it once more.
  input.value = '';
  takeReading(scan, meter);
}
