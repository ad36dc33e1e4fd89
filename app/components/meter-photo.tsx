import { Button } from './button.tsx';
import { FileField } from './file-field.tsx';
import type { FormField } from './form-field.ts';
import { HiddenField } from './hidden-field.tsx';
import { ScanResult, type ShownScan } from './scan-result.tsx';

export interface MeterScans {
  hobbs: ShownScan | null;
  tach: ShownScan | null;
}

interface MeterPhotoProps {
  field: FormField;
  label: string;
  /** What the button asks the server to read, as in 'read-hobbs'. */
  intent: string;
  /** The photo whose reading fills the field, and the field it travels in. */
  scan: ShownScan | null;
  scanName: string;
}

/** A way to fill a reading: a photo of the meter, which the server reads. Stands below the reading's own field. */
export function MeterPhoto({ field, label, intent, scan, scanName }: MeterPhotoProps) {
  return (
    <div className="meter-photo">
      {scan && (
        <>
          <HiddenField name={scanName} value={String(scan.id)} />
          <ScanResult scan={scan} />
        </>
      )}
      <div className="meter-photo-choice">
        <FileField field={field} label={label} capture="environment" />
        <Button name="intent" value={intent}>
          Read photo
        </Button>
      </div>
    </div>
  );
}
