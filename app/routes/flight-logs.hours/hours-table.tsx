import type { FlightSums, HoursBy } from '#app/domain/flights/logbook/hours.server.ts';
import { GroupedTable, TableBody, TableCell, TableRow, TableRowHeader, TableRowLink } from '#app/ui/data-table.tsx';
import type { HoursTableRow } from './hours-page.server.ts';

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
  return (
    <>
      <TableCell label="Flights" isNumeric>
        {inProgress > 0 ? `${flights}, ${inProgress} in progress` : flights}
      </TableCell>
      <TableCell label="Hobbs" isNumeric>
        {hobbs}
      </TableCell>
      <TableCell label="Tach" isNumeric>
        {tach}
      </TableCell>
      <TableCell label="Instruction" isNumeric>
        {instructor}
      </TableCell>
      <TableCell label="Ground" isNumeric>
        {ground}
      </TableCell>
    </>
  );
}
