import { showToast } from '#app/ui/page/toast-region.tsx';
import { texts } from '#app/domain/texts.ts';
import { analyzeImage } from './analyze-image.ts';
import type { MeterTarget } from './meter-target.ts';
import { photoFromFile } from './captured-photo.ts';
import { fillReading } from './fill-reading.ts';

/** Reads the photo that a file input holds into its reading. Throws where sending the form may still do it. */
export async function readChosenPhoto(input: HTMLInputElement, meter: MeterTarget): Promise<void> {
  const [file] = input.files ?? [];
  if (!file) return;
  const scan = await analyzeImage(await photoFromFile(file), meter);
  if (!input.isConnected) return;
  if (!scan) return showToast({ title: 'Error', text: texts.nothingDetected, tone: 'destructive' });
  // The reading has its photo; the form need not carry it once more.
  input.value = '';
  fillReading(scan, meter);
}
