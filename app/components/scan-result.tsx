import type { Confidence } from '../domain/meters/confidence.ts';
import type { ShownScan } from '../domain/meters/shown-scan.ts';
import { Badge, type BadgeTone } from './badge.tsx';
import { Reading } from './reading.tsx';

const TONES: Record<Confidence, BadgeTone> = { High: 'high', Medium: 'medium', Low: 'low' };

/** What was read from a photo, beside the photo, with how sure the reader is in a word. */
export function ScanResult({ scan }: { scan: ShownScan }) {
  return (
    <div className="scan-result">
      <img className="thumbnail" src={scan.photo} alt={`${scan.meterName} as scanned`} />
      <div>
        <p className="subtitle">{scan.meterName}</p>
        <p>
          <Reading value={scan.detectedText} size="large" />
        </p>
        <p>
          Confidence <Badge tone={TONES[scan.confidence]}>{`${scan.confidence} (${scan.percent})`}</Badge>
        </p>
      </div>
    </div>
  );
}
