import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { DataTable, NumberCells, TableCell, TableRow, TableRowHeader } from '#app/ui/data-table.tsx';
import { EmptyState, DateTime, type DateTimeText } from '#app/ui/elements.tsx';

interface CancelledCheckOutRow {
  id: number;
  aircraftId: number;
  tailNumber: string;
  pilot: string;
  started: DateTimeText;
  cancelled: DateTimeText | null;
  by: string;
  reason: string | null;
}

const COLUMNS = ['Aircraft', 'Pilot', 'Checked out', 'Cancelled', 'By', 'Reason'];

export function CancelledCheckOutsTable({ checkOuts }: { checkOuts: CancelledCheckOutRow[] }) {
  if (checkOuts.length === 0) return <EmptyState text="No cancelled check-outs." />;
  return (
    <DataTable caption="Cancelled check-outs, newest first" columns={COLUMNS}>
      {checkOuts.map(({ id, aircraftId, tailNumber, pilot, started, cancelled, by, reason }) => (
        <TableRow key={id}>
          <TableRowHeader>
            <Link className="above-row-link" to={paths.aircraft(aircraftId)}>
              {tailNumber}
            </Link>
          </TableRowHeader>
          <TableCell label="Pilot">{pilot}</TableCell>
          <NumberCells
            cells={{
              'Checked out': <DateTime value={started} />,
              Cancelled: cancelled && <DateTime value={cancelled} />,
            }}
          />
          <TableCell label="By">{by}</TableCell>
          <TableCell label="Reason">
            <span className="user-text">{reason}</span>
          </TableCell>
        </TableRow>
      ))}
    </DataTable>
  );
}
