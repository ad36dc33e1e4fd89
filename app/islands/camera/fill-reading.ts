import { fillIn } from '#app/ui/forms/set-input-value.ts';
import { showToast } from '#app/ui/page/toast-region.tsx';
import { readingDetected, type ScanFacts, shownScan } from '#app/domain/meters/scan-view.ts';
import type { Meter } from './meter-target.ts';

/** Fills the reading in, leads the pilot back to it, and says what was read (spec §8). */
export function takeReading(scan: ScanFacts, { readingId, filled }: Meter): void {
  const input = document.getElementById(readingId);
  // The page may have been left while the photo was read.
  if (!(input instanceof HTMLInputElement)) return;
  fillIn(input, scan.detectedText);
  filled(shownScan(scan));
  input.focus();
  showToast(readingDetected(scan));
}
