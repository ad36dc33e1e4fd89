import type { CorrectionEffect } from '#app/domain/flights/correction/meter-correction.ts';
import { useEffect, useRef } from 'react';
import { DataTable, TableCell, TableRow, TableRowHeader } from '#app/ui/data-table.tsx';

export function CorrectionPreview({ effects }: { effects: CorrectionEffect[] }) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => headingRef.current?.focus(), []);
  return (
    <section className="card">
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- moves the focus to the preview without JavaScript too */}
      <h2 ref={headingRef} tabIndex={-1} autoFocus>
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
