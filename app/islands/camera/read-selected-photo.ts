import { showToast } from '#app/ui/page/toast-region.tsx';
import { texts } from '#app/domain/texts.ts';
import { analyzeImage, fillReading, type MeterTarget } from './analyze-image.ts';
import { photoFromFile } from './captured-photo.ts';

/** Fills a reading from the photo in a file input. Throws if submitting the form may still succeed. */
export async function readSelectedPhoto(input: HTMLInputElement, target: MeterTarget): Promise<void> {
  const [file] = input.files ?? [];
  if (!file) return;
  const scan = await analyzeImage(await photoFromFile(file), target);
  if (!input.isConnected) return;
  if (!scan) return showToast({ title: 'Error', text: texts.nothingDetected, tone: 'destructive' });
  // The server has the photo; the form need not upload it again.
  input.value = '';
  fillReading(scan, target);
}
