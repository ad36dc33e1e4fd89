import { Link } from '#app/ui/link.tsx';
import { SquawkList } from '#app/features/squawks/squawk-list.tsx';
import { paths } from '#app/paths.ts';
import { Card } from '#app/ui/elements.tsx';
import type { AircraftPageData } from './aircraft-page.server.ts';
import { Reading } from '#app/features/meters/reading.tsx';
import { Thumbnail } from '#app/ui/thumbnail.tsx';
import { DueText } from '#app/features/aircraft/aircraft-badge.tsx';
import { Gauge } from '#app/features/inspections/gauge.tsx';
import { DataTable, NumberCells, TableRow, TableRowHeader } from '#app/ui/data-table.tsx';

export function SquawksCard({ page: { aircraft, squawks, settledSquawks } }: { page: AircraftPageData }) {
  const isFolded = squawks.some(({ others }) => others.length > 0);
  return (
    <Card
      title="Squawks"
      badge={
        isFolded &&
        !aircraft.isRemoved && (
          <Link className="text-link" to={paths.maintenanceOf(aircraft.id)}>
            End alike ones together
          </Link>
        )
      }
    >
      {squawks.length === 0 && <p className="hint">None open.</p>}
      <SquawkList
        squawks={squawks}
        actionFor={({ id }) => <Others of={squawks.find((squawk) => squawk.id === id)?.others ?? []} />}
      />
      {settledSquawks.length > 0 && (
        <details className="squawk-history">
          <summary>Fixed and withdrawn</summary>
          <SquawkList squawks={settledSquawks} />
        </details>
      )}
    </Card>
  );
}

function Others({ of }: { of: { id: number; text: string }[] }) {
  if (of.length === 0) return null;
  return (
    <>
      <b>{`×${of.length + 1}`}</b>
      {of.map(({ id, text }) => (
        <Link key={id} className="text-link" to={paths.squawk(id)}>
          {text}
        </Link>
      ))}
    </>
  );
}

interface PhotosCardProps {
  photos: { meter: string; src: string; value: string; flightId: number }[];
}

export function PhotosCard({ photos }: PhotosCardProps) {
  if (photos.length === 0) return null;
  return (
    <Card title="Photos of the last readings">
      <ul className="photo-list">
        {photos.map(({ meter, src, value, flightId }) => (
          <li key={meter}>
            <a href={src}>
              <Thumbnail src={src} alt={`${meter} at the end of flight ${flightId}`} />
            </a>
            <p>
              {meter} <Reading value={value} /> <Link to={paths.flightPage(flightId)}>#{flightId}</Link>
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function DueCard({ page: { aircraft, due, canManageInspections } }: { page: AircraftPageData }) {
  const toAdd = canManageInspections && (
    <Link className="text-link" to={paths.addInspection(aircraft.id)}>
      Add Inspection
    </Link>
  );
  return (
    <Card title="Due" badge={toAdd}>
      {due.length === 0 && <p className="hint">Nothing is due.</p>}
      {due.length > 0 && (
        <ul className="note-list">
          {due.map(({ id, name, every, lastDone, used, ...item }) => (
            <li key={id}>
              <p className="due-line">
                <strong>{canManageInspections ? <DueLink id={id} name={name} /> : name}</strong> <DueText item={item} />
              </p>
              {used !== null && <Gauge used={used} label={`${Math.round(used * 100)} % of the interval used`} />}
              <p className="hint user-text">{[every, lastDone].filter(Boolean).join('. ')}</p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function DueLink({ id, name }: { id: number; name: string }) {
  return (
    <Link className="text-link" to={paths.inspection(id)}>
      {name}
      <span className="visually-hidden">: done or change</span>
    </Link>
  );
}

interface HoursChartProps {
  title: string;
  sums: { start: string; label: string; flights: number; hobbs: string; tach: string }[];
  none: string;
}

/** Shows a bar for each period, the oldest first, and the same as a table behind it. */
export function HoursChart({ title, sums, none }: HoursChartProps) {
  if (sums.length === 0) return <p className="hint">{none}</p>;
  const most = Math.max(...sums.map(({ hobbs }) => Number(hobbs)), 1);
  const flights = sums.reduce((sum, period) => sum + period.flights, 0);
  return (
    <details className="hours-strip">
      <summary>
        {title}
        <svg aria-hidden="true" viewBox={`0 0 ${sums.length * 10} 20`} preserveAspectRatio="none">
          {sums.toReversed().map(({ start, hobbs }, index) => (
            <rect
              key={start}
              x={index * 10 + 1}
              width="8"
              y={20 - barHeight(hobbs, most)}
              height={barHeight(hobbs, most)}
            />
          ))}
        </svg>
        {`${flights} ${flights === 1 ? 'flight' : 'flights'}, up to ${most.toFixed(1)} h`}
      </summary>
      <DataTable caption={title} columns={['Period', 'Flights', 'Hobbs hours', 'Tach hours']}>
        {sums.map(({ start, label, flights: count, hobbs, tach }) => (
          <TableRow key={start}>
            <TableRowHeader>{label}</TableRowHeader>
            <NumberCells cells={{ Flights: count, 'Hobbs hours': hobbs, 'Tach hours': tach }} />
          </TableRow>
        ))}
      </DataTable>
    </details>
  );
}

function barHeight(hobbs: string, most: number): number {
  return Math.max(Math.round((Number(hobbs) / most) * 200) / 10, 0.5);
}
