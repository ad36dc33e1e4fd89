import type { ScanData } from '#app/domain/meters/scan-view.ts';
import { ANALYZE_IMAGE_TIMEOUT_MS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import type { MeterTarget } from './meter-target.ts';
import { base64Of, type CapturedPhoto } from './captured-photo.ts';

/** What the server reads from a photo; null where it detects nothing (C47). Throws when the call fails or takes too long. */
export async function analyzeImage(
  photo: CapturedPhoto,
  meter: MeterTarget,
  signal?: AbortSignal,
): Promise<ScanData | null> {
  const call = new AbortController();
  const end = () => call.abort();
  const timer = setTimeout(end, ANALYZE_IMAGE_TIMEOUT_MS);
  signal?.addEventListener('abort', end);
  try {
    const answer = await fetch(paths.analyzeImage, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': photo.key },
      body: JSON.stringify({
        imageData: base64Of(photo.url),
        meterType: meter.meterType,
        aircraftId: meter.aircraftId,
        frame: photo.frame,
      }),
      signal: call.signal,
    });
    if (!answer.ok) throw new Error(`answered ${answer.status}`);
    const scan: ScanData | { id: null } = await answer.json();
    return scan.id === null ? null : scan;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}
