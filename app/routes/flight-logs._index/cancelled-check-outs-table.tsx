import { Cell, DataTable, Row, RowHeader } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Moment } from '#app/ui/date-time.tsx';

interface At {
  iso: string;
  text: string;
}

interface CancelledShown {
  id: number;
  tailNumber: string;
  pilot: string;
  started: At;
  cancelled: At | null;
  by: string;
  reason: string | null;
}

const COLUMNS = ['Aircraft', 'Pilot', 'Checked out', 'Cancelled', 'By', 'Reason'];

/** Check-outs that never flew, a row each, for administrators (C09). */
export function CancelledTable({ checkOuts }: { checkOuts: CancelledShown[] }) {
  if (checkOuts.length === 0) return <EmptyState text="No cancelled check-outs." />;
  return (
    <DataTable caption="Cancelled check-outs, newest first" columns={COLUMNS}>
      {checkOuts.map(({ id, tailNumber, pilot, started, cancelled, by, reason }) => (
        <Row key={id}>
          <RowHeader>{tailNumber}</RowHeader>
          <Cell label="Pilot">{pilot}</Cell>
          <Cell label="Checked out" numeric>
            <Moment at={started} />
          </Cell>
          <Cell label="Cancelled" numeric>
            {cancelled && <Moment at={cancelled} />}
          </Cell>
          <Cell label="By">{by}</Cell>
          <Cell label="Reason">
            <span className="typed">{reason}</span>
          </Cell>
        </Row>
      ))}
    </DataTable>
  );
}
