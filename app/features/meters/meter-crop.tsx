import type { ScanView } from '#app/domain/meters/scan-view.ts';

/** The meter's digits, cut out of the photo; nothing where none were found. */
export function MeterCrop({ scan: { meterName, crop } }: { scan: Pick<ScanView, 'meterName' | 'crop'> }) {
  if (crop === null) return null;
  return (
    <img
      className="meter-crop"
      src={crop}
      alt={`Counter of the ${meterName} as it was read`}
      width={288}
      height={48}
      loading="lazy"
    />
  );
}
