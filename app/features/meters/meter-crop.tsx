import type { ScanView } from '#app/domain/meters/scan-view.ts';

const WIDTH = 288;
const HEIGHT = 48;
// Part of the counter's width that is shown on either side of it.
const MARGIN = 0.04;

/** Shows the meter's digits, cut out of the photo, with those in doubt marked; nothing if none were found. */
export function MeterCrop({ scan }: { scan: Pick<ScanView, 'meterName' | 'crop' | 'doubtful'> }) {
  const { meterName, crop, doubtful } = scan;
  if (crop === null) return null;
  return (
    <span className="meter-crop">
      <img src={crop} alt={`Counter of the ${meterName} as it was read`} width={WIDTH} height={HEIGHT} loading="lazy" />
      {doubtful.includes(true) && <DoubtMarks doubtful={doubtful} />}
    </span>
  );
}

/** Marks figures at equal distances; words beside the crop name them. */
function DoubtMarks({ doubtful }: { doubtful: boolean[] }) {
  const width = WIDTH / (1 + 2 * MARGIN) / doubtful.length;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {doubtful.map(
        (isMarked, at) =>
          isMarked && (
            <rect
              key={at}
              x={(WIDTH * MARGIN) / (1 + 2 * MARGIN) + at * width}
              y={2}
              width={width}
              height={HEIGHT - 4}
            />
          ),
      )}
    </svg>
  );
}
