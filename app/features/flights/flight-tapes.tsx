import { Reading } from '../meters/reading.tsx';
import { PhotoLink } from '#app/ui/thumbnail.tsx';
import type { MeterDetails } from './flight-details.server.ts';
import { TAPE_HEIGHT, TAPE_WIDTH } from './tape-shapes.ts';

export const IN_PROGRESS = 'In Progress';

interface MeterTapeProps {
  name: 'Hobbs' | 'Tach';
  meter: MeterDetails;
}

/** Shows a meter's start and end with their photos, and between them the flown hours as a tape once it has ended. */
export function MeterTape({ name, meter }: MeterTapeProps) {
  const { start, startPhoto, end, endPhoto, hours, change, tape } = meter;
  return (
    <div className="flight-tape">
      <dl>
        <div>
          <dt>{`${name} Start`}</dt>
          <dd>
            <Reading value={start} />
            {startPhoto && <PhotoLink src={startPhoto} alt={`${name} at the start`} />}
          </dd>
        </div>
        <div>
          <dt>{`${name} End`}</dt>
          <dd>
            {end === null ? IN_PROGRESS : <Reading value={end} />}
            {endPhoto && <PhotoLink src={endPhoto} alt={`${name} at the end`} />}
          </dd>
        </div>
        {change && (
          <div>
            <dt>{`${name} meter`}</dt>
            <dd className="user-text">
              {`${CHANGES[change.reason]} at ${change.oldLast}, went on from ${change.newFirst}`}
              {change.remark && `: ${change.remark}`}
            </dd>
          </div>
        )}
        <div>
          <dt>
            <span className="visually-hidden">{name}</span> Hours
          </dt>
          <dd>{hours ?? IN_PROGRESS}</dd>
        </div>
      </dl>
      {tape && <TapePicture {...tape} />}
    </div>
  );
}

const CHANGES = { replaced: 'Replaced', 'rolled over': 'Rolled over' };

/** Hatches the hours beside the flight that are not logged. */
function TapePicture({ title, shapes }: NonNullable<MeterDetails['tape']>) {
  return (
    <svg role="img" aria-label={title} viewBox={`0 0 ${TAPE_WIDTH} ${TAPE_HEIGHT}`} preserveAspectRatio="none">
      <rect x={shapes.flight.x} width={shapes.flight.width} height={TAPE_HEIGHT} />
      <path d={shapes.ticks} />
      {shapes.gaps && <path data-kind="gap" d={shapes.gaps} />}
      {shapes.overlaps && <path data-kind="overlap" d={shapes.overlaps} />}
    </svg>
  );
}
