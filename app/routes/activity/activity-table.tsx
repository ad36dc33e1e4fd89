import { Fragment } from 'react';
import type { ActivityEntry } from './activity-list.server.ts';
import { Badge } from '#app/ui/badge.tsx';
import { DataTable, TableCell, TableRow, TableRowHeader } from '#app/ui/data-table.tsx';
import { DateTime } from '#app/ui/date-time.tsx';

const COLUMNS = ['What', 'When', 'Person', 'Address'];

export function ActivityTable({ events }: { events: ActivityEntry[] }) {
  return (
    <DataTable caption="Activity, newest first" columns={COLUMNS}>
      {events.map((event) => (
        <ActivityRow key={event.id} event={event} />
      ))}
    </DataTable>
  );
}

function ActivityRow({ event: { sentence, details, at, person, address, isRefused } }: { event: ActivityEntry }) {
  return (
    <TableRow>
      <TableRowHeader>
        <span className="activity user-text">
          <span>{sentence}</span> {isRefused && <Badge tone="low">Refused</Badge>}
          {details.map((detail) => (
            <Fragment key={detail}>
              {' '}
              <span className="activity-detail">{detail}</span>
            </Fragment>
          ))}
        </span>
      </TableRowHeader>
      <TableCell label="When" isNumeric>
        <DateTime value={at} />
      </TableCell>
      <TableCell label="Person">{person ?? '-'}</TableCell>
      <TableCell label="Address">
        <span className="user-text">{address ?? '-'}</span>
      </TableCell>
    </TableRow>
  );
}
