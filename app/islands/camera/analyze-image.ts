import type { ScanData } from '#app/domain/meters/scan-view.ts';
import { ANALYZE_IMAGE_TIMEOUT_MS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import type { MeterTarget } from './meter-target.ts';
import { base64Of, type CapturedPhoto } from './captured-photo.ts';

/** The API gives the reading under either name. */
type AnalyzedImage = { id: null } | (Omit<ScanData, 'detectedText'> & { detectedText?: string; text?: string });

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
        imageData: base64Of(photo.dataUrl),
        meterType: target.meterType,
        aircraftId: target.aircraftId,
        frame: photo.frame,
      }),
      signal: controller.signal,
    });
    if (!response.ok) throw new Error(`answered ${response.status}`);
    const scan: AnalyzedImage = await response.json();
    return scan.id === null ? null : { ...scan, detectedText: scan.detectedText ?? scan.text ?? '' };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
