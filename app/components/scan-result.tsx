import type { Confidence } from '../domain/meters/confidence.ts';
import type { ShownScan } from '../domain/meters/shown-scan.ts';
import { Badge, type BadgeTone } from './badge.tsx';
import { Counter } from './counter.tsx';
import { Reading } from './reading.tsx';
import { ReadingNote } from './reading-note.tsx';
import { Thumbnail } from './thumbnail.tsx';

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
