import { Link } from '@remix-run/react';
import { paths } from '#app/paths.ts';
import { Badge } from '#app/ui/badge.tsx';
import { DataTable, TableCell, TableRow, TableRowHeader, TableRowLink } from '#app/ui/data-table.tsx';
import { DateTime, type DateTimeText } from '#app/ui/date-time.tsx';

export interface FlightLogRowData {
  id: number;
  aircraftId: number;
  tailNumber: string;
  started: DateTimeText;
  /** Null: in progress. */
  ended: DateTimeText | null;
  hours: string | null;
  instructor: string | null;
  href: string;
}

const COLUMNS = ['Aircraft', 'Start Time', 'End Time', 'Duration', 'Instructor', 'Status'];

export function FlightLogTable({ logs }: { logs: FlightLogRowData[] }) {
  return (
    <DataTable caption="Flight logs, newest first" columns={COLUMNS}>
      {logs.map((log) => (
        <FlightLogRow key={log.id} log={log} />
      ))}
    </DataTable>
  );
}

function FlightLogRow({ log }: { log: FlightLogRowData }) {
  return (
    <TableRow>
      <TableRowHeader>
        <Link className="above-row-link" to={paths.aircraft(log.aircraftId)}>
          {log.tailNumber}
        </Link>{' '}
        <TableRowLink to={log.href}>
          Details<span className="visually-hidden">{` of ${log.tailNumber}, ${log.started.text}`}</span>
        </TableRowLink>
      </TableRowHeader>
      <TableCell label="Start Time" isNumeric>
        <DateTime value={log.started} />
      </TableCell>
      <TableCell label="End Time" isNumeric>
        {log.ended ? <DateTime value={log.ended} /> : 'In Progress'}
      </TableCell>
      <TableCell label="Duration" isNumeric>
        {log.hours ? `${log.hours} hours` : 'In Progress'}
      </TableCell>
      <TableCell label="Instructor">{log.instructor ?? '-'}</TableCell>
      <TableCell label="Status">
        {log.ended ? <Badge tone="completed">Completed</Badge> : <Badge tone="in-progress">In Progress</Badge>}
      </TableCell>
    </TableRow>
  );
}
