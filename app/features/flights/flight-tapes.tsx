import { Reading } from '../meters/reading.tsx';
import type { FlightTape } from './flight-tapes.server.ts';
import { TAPE_HEIGHT, TAPE_WIDTH } from './tape-shapes.ts';

/** Draws a tape from the start's drum to the end's; hours beside the flight that are not logged are hatched. */
export function FlightTapes({ tapes }: { tapes: FlightTape[] }) {
  return tapes.map(({ name, start, end, title, shapes }) => (
    <div key={name} className="flight-tape">
      <span>{name}</span>
      <Reading value={start} />
      <svg role="img" aria-label={title} viewBox={`0 0 ${TAPE_WIDTH} ${TAPE_HEIGHT}`} preserveAspectRatio="none">
        <rect x={shapes.flight.x} width={shapes.flight.width} height={TAPE_HEIGHT} />
        <path d={shapes.ticks} />
        {shapes.gaps && <path data-kind="gap" d={shapes.gaps} />}
        {shapes.overlaps && <path data-kind="overlap" d={shapes.overlaps} />}
      </svg>
      <Reading value={end} />
    </div>
  ));
}
