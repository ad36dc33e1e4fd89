import type { ScanView } from '#app/domain/meters/scan-view.ts';

/** A meter's counter as it was read: cut out of its photo, upright and in grey. Nothing where none was found. */
export function MeterCrop({ scan: { meterName, crop } }: { scan: Pick<ScanView, 'meterName' | 'crop'> }) {
  if (crop === null) return null;
  // The size is the server's; it keeps the place until the picture has come.
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
