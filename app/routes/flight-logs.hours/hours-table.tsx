import type { FlightSums, HoursBy } from '#app/domain/flights/logbook/hours.server.ts';
import { GroupedTable, NumberCells, TableBody, TableRow, TableRowHeader, TableRowLink } from '#app/ui/data-table.tsx';
import type { HoursTableRow } from './hours-page.server.ts';
import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { DateTime, type DateTimeText } from '#app/ui/elements.tsx';

interface HoursTableProps {
  by: HoursBy;
  caption: string;
  rows: HoursTableRow[];
  sum: FlightSums;
}

const HEADINGS = { pilot: 'Pilot', instructor: 'Instructor', aircraft: 'Aircraft' };
const COLUMNS = ['Flights', 'Hobbs', 'Tach', 'Instruction', 'Ground'];

/** The bars repeat a column, so they are hidden from assistive technology. */
export function HoursTable({ by, caption, rows, sum }: HoursTableProps) {
  return (
    <GroupedTable caption={caption} columns={[HEADINGS[by], ...COLUMNS]} name="hours">
      <TableBody>
        {rows.map(({ id, name, isRemoved, href, bar, sums }) => (
          <TableRow key={id}>
            <TableRowHeader>
              {href === null ? (
                name
              ) : (
                <TableRowLink to={href} preventScrollReset={false}>
                  {name}
                </TableRowLink>
              )}
              {isRemoved && <span className="hint"> (removed)</span>}
              <svg className="hours-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect width={bar} height="4" />
              </svg>
            </TableRowHeader>
            <SumCells sums={sums} />
          </TableRow>
        ))}
      </TableBody>
      <TableBody isSum>
        <TableRow>
          <TableRowHeader>Sum</TableRowHeader>
          <SumCells sums={sum} />
        </TableRow>
      </TableBody>
    </GroupedTable>
  );
}

function SumCells({ sums: { flights, inProgress, hobbs, tach, instructor, ground } }: { sums: FlightSums }) {
  const count = inProgress > 0 ? `${flights}, ${inProgress} in progress` : flights;
  return <NumberCells cells={{ Flights: count, Hobbs: hobbs, Tach: tach, Instruction: instructor, Ground: ground }} />;
}

interface FlightsNotCheckedInProps {
  stuck: { id: number; aircraft: { id: number; tailNumber: string }; pilot: string; started: DateTimeText }[];
}

export function FlightsNotCheckedIn({ stuck }: FlightsNotCheckedInProps) {
  if (stuck.length === 0) return null;
  return (
    <ul className="not-checked-in">
      {stuck.map(({ id, aircraft, pilot, started }) => (
        <li key={id} className="inline-note" data-tone="caution">
          Not checked in: <Link to={paths.flightPage(id)}>{aircraft.tailNumber}</Link>, {pilot}, since{' '}
          <DateTime value={started} />
        </li>
      ))}
    </ul>
  );
}
