import { useEffect, useRef } from 'react';
import { TableCell, DataTable, TableRow, TableRowHeader } from '#app/ui/data-table.tsx';

/** One thing that a correction touches, as it is and as it would be. */
export interface CorrectionEffect {
  what: string;
  before: string;
  after: string;
}

/** What a correction would change: this flight, the flights beside it, and the aircraft's last readings. */
export function CorrectionPreview({ effects }: { effects: CorrectionEffect[] }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="card">
      {/* eslint-disable-next-line jsx-a11y/no-autofocus -- without script, nothing else leads to what was asked for */}
      <h2 ref={heading} tabIndex={-1} autoFocus>
        What changes
      </h2>
      <DataTable caption="What changes" columns={['What', 'Now', 'After']}>
        {effects.map(({ what, before, after }) => (
          <TableRow key={what}>
            <TableRowHeader>{what}</TableRowHeader>
            <TableCell label="Now" isNumeric>
              {before}
            </TableCell>
            <TableCell label="After" isNumeric>
              {after}
            </TableCell>
          </TableRow>
        ))}
      </DataTable>
    </section>
  );
}
