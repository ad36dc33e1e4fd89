import type { ConfidenceLevel } from '#app/domain/meters/confidence.ts';
import type { ScanView } from '#app/domain/meters/scan-view.ts';
import { Badge, type BadgeTone } from '#app/ui/elements.tsx';
import { MeterCrop } from './meter-crop.tsx';
import { Reading } from './reading.tsx';
import { ReadingNote } from './reading-note.tsx';
import { Thumbnail } from '#app/ui/thumbnail.tsx';

const TONES: Record<ConfidenceLevel, BadgeTone> = { High: 'high', Medium: 'medium', Low: 'low' };

function toNote({ doubt, alternative }: ScanView) {
  const text = [doubt, alternative].filter((each) => each !== null).join(' ');
  return text === '' ? undefined : { tone: 'caution' as const, text };
}

interface ScanResultProps {
  scan: ScanView | null;
  noteId?: string;
}

export function ScanResult({ scan, noteId }: ScanResultProps) {
  return (
    <>
      {scan && (
        <div className="scan-result">
          <Thumbnail src={scan.photo} alt={`${scan.meterName} as scanned`} />
          <div>
            <p className="subtitle">{scan.meterName}</p>
            <MeterCrop scan={scan} />
            {scan.detectedText !== '' && (
              <>
                <p>
                  <Reading value={scan.detectedText} size="large" />
                </p>
                <p>
                  Confidence <Badge tone={TONES[scan.confidence]}>{`${scan.confidence} (${scan.percent})`}</Badge>
                </p>
              </>
            )}
          </div>
        </div>
      )}
      <ReadingNote id={noteId} note={scan ? toNote(scan) : undefined} />
    </>
  );
}
