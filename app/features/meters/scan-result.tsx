import type { Confidence } from '#app/domain/meters/confidence.ts';
import type { ShownScan } from '#app/domain/meters/scan-view.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { Counter } from './meter-crop.tsx';
import { Reading } from './reading.tsx';
import { ReadingNote } from './reading-note.tsx';
import { Thumbnail } from '#app/ui/thumbnail.tsx';

const TONES: Record<Confidence, BadgeTone> = { High: 'high', Medium: 'medium', Low: 'low' };

interface ScanResultProps {
  /** Null: no photo yet. */
  scan: ShownScan | null;
  /** The id of the remark on what else the photo may show. */
  doubtId?: string;
}

/** What was read from a photo, beside the photo, with how sure the reader is in a word. */
export function ScanResult({ scan, doubtId }: ScanResultProps) {
  return (
    <>
      {scan && (
        <div className="scan-result">
          <Thumbnail src={scan.photo} alt={`${scan.meterName} as scanned`} />
          <div>
            <p className="subtitle">{scan.meterName}</p>
            <Counter scan={scan} />
            <p>
              <Reading value={scan.detectedText} size="large" />
            </p>
            <p>
              Confidence <Badge tone={TONES[scan.confidence]}>{`${scan.confidence} (${scan.percent})`}</Badge>
            </p>
          </div>
        </div>
      )}
      <ReadingNote id={doubtId} note={scan?.doubt ? { tone: 'caution', text: scan.doubt } : undefined} />
    </>
  );
}
