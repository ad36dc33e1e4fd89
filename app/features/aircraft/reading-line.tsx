import { useId } from 'react';
import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { Badge, DateTime } from '#app/ui/elements.tsx';
import { DataTable, NumberCells, TableRow, TableRowHeader, TableRowLink } from '#app/ui/data-table.tsx';
import { Reading } from '../meters/reading.tsx';
import type { LineShape } from './line-shapes.ts';
import type { ReadingLineView } from './reading-line-view.server.ts';

/** Draws the readings and lists them; folded, the list opens below the picture. */
export function ReadingLine({ line, isFolded = false }: { line: ReadingLineView; isFolded?: boolean }) {
  const table = <LineTable rows={line.rows} />;
  return (
    <>
      <LinePicture line={line} hasLegend={!isFolded} />
      {isFolded ? (
        <details className="squawk-history">
          <summary>{`The last ${line.rows.length} as a table`}</summary>
          {table}
        </details>
      ) : (
        table
      )}
    </>
  );
}

const STRIP_HEIGHT = 40;
const STRIP_PITCH = 60;

function LinePicture({ line: { title, strips }, hasLegend }: { line: ReadingLineView; hasLegend: boolean }) {
  const titleId = useId();
  return (
    <figure className="line-picture">
      <StripEnds {...strips[0]} />
      <svg role="img" aria-labelledby={titleId} viewBox="0 0 1000 100" preserveAspectRatio="none">
        <title id={titleId}>{title}</title>
        {strips.map(({ name, shapes }, strip) =>
          shapes.map((shape, index) => <Shape key={`${name}${index}`} shape={shape} top={strip * STRIP_PITCH} />),
        )}
      </svg>
      <StripEnds {...strips[1]} />
      {hasLegend && (
        <figcaption>
          <ul className="line-legend">
            {LEGEND.map(({ kind, label }) => (
              <li key={kind}>
                <span className="line-swatch" data-kind={kind} aria-hidden="true" />
                {label}
              </li>
            ))}
          </ul>
        </figcaption>
      )}
    </figure>
  );
}

const LEGEND: { kind: LineShape['kind']; label: string }[] = [
  { kind: 'flight', label: 'Flight' },
  { kind: 'open', label: 'In progress' },
  { kind: 'gap', label: 'Not logged' },
  { kind: 'overlap', label: 'Logged twice' },
  { kind: 'jump', label: 'Jump' },
  { kind: 'change', label: 'Meter changed' },
  { kind: 'corrected', label: 'Corrected' },
];

function StripEnds({ name, from, to }: { name?: string; from?: string; to?: string }) {
  return (
    <p className="line-ends">
      <Reading value={from ?? ''} /> <span>{name}</span> <Reading value={to ?? ''} />
    </p>
  );
}

const MIN_WIDTH = 4;

/** Each kind has a height of its own, so that none depends on its colour. */
const HEIGHTS: Record<LineShape['kind'], [from: number, to: number]> = {
  flight: [8, 40],
  'flight in between': [14, 40],
  open: [24, 40],
  gap: [34, 40],
  overlap: [0, 40],
  jump: [0, 40],
  change: [0, 40],
  corrected: [0, 5],
};

function Shape({ shape: { kind, x, width }, top }: { shape: LineShape; top: number }) {
  const [from, to] = HEIGHTS[kind];
  const shown = kind === 'jump' ? MIN_WIDTH : Math.max(width, MIN_WIDTH);
  const left = Math.min(kind === 'jump' ? x + width / 2 : x, 1000 - shown);
  return <rect data-kind={kind} x={left} y={top + from} width={shown} height={Math.min(to, STRIP_HEIGHT) - from} />;
}

const COLUMNS = ['Flight', 'Started', 'Hobbs', 'Tach'];

function LineTable({ rows }: { rows: ReadingLineView['rows'] }) {
  return (
    <DataTable caption="The line of readings, newest first" columns={COLUMNS}>
      {rows.flatMap((row) => [<FlightRow key={row.id} row={row} />, <MarksRow key={`before ${row.id}`} row={row} />])}
    </DataTable>
  );
}

type Row = ReadingLineView['rows'][number];

function FlightRow({ row: { id, started, corrected, within, hobbs, tach } }: { row: Row }) {
  return (
    <TableRow>
      <TableRowHeader>
        <TableRowLink to={paths.flightPage(id)}>{`#${id}`}</TableRowLink>{' '}
        {corrected && <Badge tone="medium">Corrected</Badge>}
        {within.map(({ kind, text }) => (
          <p key={text} className="inline-note" data-tone={toneOf(kind)}>
            {text}
          </p>
        ))}
      </TableRowHeader>
      <NumberCells
        cells={{ Started: <DateTime value={started} />, Hobbs: <Step step={hobbs} />, Tach: <Step step={tach} /> }}
      />
    </TableRow>
  );
}

function Step({ step: { start, end, hours } }: { step: Row['hobbs'] }) {
  return (
    <>
      <Reading value={start} /> → {end === null ? 'In Progress' : <Reading value={end} />}
      {end !== null && `, ${hours} h`}
    </>
  );
}

/** The row stands between the flights that it is about, and leads to the later one. */
function MarksRow({ row: { id, before } }: { row: Row }) {
  if (before.length === 0) return null;
  return (
    <TableRow>
      <TableRowHeader span={COLUMNS.length}>
        {before.map(({ kind, text }) => (
          <p key={text} className="inline-note" data-tone={toneOf(kind)}>
            <Link to={paths.flightPage(id)}>{text}</Link>
          </p>
        ))}
      </TableRowHeader>
    </TableRow>
  );
}

function toneOf(kind: string): 'caution' | undefined {
  return kind === 'change' ? undefined : 'caution';
}
