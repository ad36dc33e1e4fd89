import { setInputValue } from '#app/ui/forms/set-input-value.ts';
import { showToast } from '#app/ui/page/toast-region.tsx';
import { readingDetectedToast, type ScanData, toScanView } from '#app/domain/meters/scan-view.ts';
import type { MeterTarget } from './meter-target.ts';

export function fillReading(scan: ScanData, { readingId, onScan }: MeterTarget): void {
  const input = document.getElementById(readingId);
  // The element is null if the user has left the page meanwhile.
  if (!(input instanceof HTMLInputElement)) return;
  if (scan.detectedText !== '') setInputValue(input, scan.detectedText);
  onScan(toScanView(scan));
  input.focus();
  showToast(readingDetectedToast(scan));
}
