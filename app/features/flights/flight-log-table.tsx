import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { Badge } from '#app/ui/elements.tsx';
import { GroupedTable, TableCell, TableGroup, TableRow, TableRowHeader, TableRowLink } from '#app/ui/data-table.tsx';
import type { FlightLogRowData } from './flight-log-rows.server.ts';

interface FlightLogTableProps {
  logs: FlightLogRowData[];
  days: { day: string; title: string; sums?: string }[];
  /** Returns the address of a flight's details. */
  hrefOf: (flightLogId: number) => string;
}

const COLUMNS = ['Aircraft', 'Start Time', 'End Time', 'Duration', 'Instructor', 'Status'];

export function FlightLogTable({ logs, days, hrefOf }: FlightLogTableProps) {
  return (
    <GroupedTable caption="Flight logs, newest first" columns={COLUMNS} name="flight-logs">
      {days.map(({ day, title, sums }) => (
        <TableGroup
          key={day}
          span={COLUMNS.length}
          title={
            <>
              {title}
              {sums && ' · '}
              {sums && <span className="group-sums">{sums}</span>}
            </>
          }
        >
          {logs
            .filter((log) => log.day === day)
            .map((log) => (
              <FlightLogRow key={log.id} log={log} href={hrefOf(log.id)} />
            ))}
        </TableGroup>
      ))}
    </GroupedTable>
  );
}

function FlightLogRow({ log, href }: { log: FlightLogRowData; href: string }) {
  return (
    <TableRow>
      <TableRowHeader>
        <Link className="above-row-link" to={paths.aircraft(log.aircraftId)}>
          {log.tailNumber}
        </Link>{' '}
        <TableRowLink to={href}>
          Details<span className="visually-hidden">{` of ${log.tailNumber}, ${log.started.text}`}</span>
        </TableRowLink>
        {log.readings && <span className="log-pilot">{log.readings}</span>}
        {log.pilot !== null && (
          <span className="log-pilot">
            <span className="visually-hidden">, pilot </span>
            {log.pilot}
          </span>
        )}
      </TableRowHeader>
      <TableCell label="Start Time" isNumeric>
        <time dateTime={log.started.iso}>{log.started.clock}</time>
      </TableCell>
      <TableCell label="End Time" isNumeric>
        {log.ended ? <time dateTime={log.ended.iso}>{log.ended.clock}</time> : 'In Progress'}
      </TableCell>
      <TableCell label="Duration" isNumeric>
        {log.hours ? `${log.hours} hours` : 'In Progress'}
      </TableCell>
      <TableCell label="Instructor">
        <span className={log.instructor === null ? 'log-no-instructor' : 'log-instructor'}>
          {log.instructor ?? '-'}
        </span>
      </TableCell>
      <TableCell label="Status">
        {log.ended ? <Badge tone="completed">Completed</Badge> : <Badge tone="in-progress">In Progress</Badge>}
      </TableCell>
    </TableRow>
  );
}
