import { readingDetectedToast, type ScanData, type ScanView, toScanView } from '#app/domain/meters/scan-view.ts';
import { ANALYZE_IMAGE_TIMEOUT_MS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { setInputValue } from '#app/ui/forms/set-input-value.ts';
import { showToast } from '#app/ui/page/toast-region.tsx';
import { base64OfDataUrl, type CapturedPhoto } from './captured-photo.ts';

/** Any reader of photos answers with the reading, under either name, and its confidence; ours answers more. */
type AnalyzedImage = Partial<ScanData> & { text?: string };

/** Has the server read a photo; null if it detects no reading. Throws if the request fails or times out. */
export async function analyzeImage(
  photo: CapturedPhoto,
  target: MeterTarget,
  signal?: AbortSignal,
): Promise<ScanData | null> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, ANALYZE_IMAGE_TIMEOUT_MS);
  signal?.addEventListener('abort', abort);
  try {
    const response = await fetch(paths.analyzeImage, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': photo.idempotencyKey },
      body: JSON.stringify({
        imageData: base64OfDataUrl(photo.dataUrl),
        meterType: target.meterType,
        aircraftId: target.aircraftId,
        frame: photo.frame,
      }),
      signal: controller.signal,
    });
    if (!response.ok) throw new Error(`answered ${response.status}`);
    return toScanData(await response.json(), photo, target);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function toScanData(scan: AnalyzedImage, photo: CapturedPhoto, { meterType }: MeterTarget): ScanData | null {
  const detectedText = scan.detectedText ?? scan.text ?? '';
  if (detectedText === '') return null;
  const unsaid = { id: null, confidence: '0', otherText: null, otherKind: null, figures: [], crop: null };
  return { ...unsaid, meterType, photo: photo.dataUrl, ...scan, detectedText };
}

export function fillReading(scan: ScanData, { readingId, onScan }: MeterTarget): void {
  const input = document.getElementById(readingId);
  // The element is null if the user has left the page meanwhile.
  if (!(input instanceof HTMLInputElement)) return;
  if (scan.detectedText !== '') setInputValue(input, scan.detectedText);
  onScan(toScanView(scan));
  input.focus();
  showToast(readingDetectedToast(scan));
}

export interface MeterTarget {
  aircraftId: number;
  meterType: ScanData['meterType'];
  readingId: string;
  onScan: (scan: ScanView) => void;
}
