import { fillIn } from '../../components/fill-in.ts';
import { showToast } from '../../components/toast-region.tsx';
import { readingDetected, type ScanFacts, shownScan } from '../../domain/meters/shown-scan.ts';
import type { Meter } from './meter.ts';

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
