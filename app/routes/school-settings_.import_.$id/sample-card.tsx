import { Card } from '#app/ui/card.tsx';
import { DataTable, TableCell, TableRow, TableRowHeader } from '#app/ui/data-table.tsx';
import type { Choice } from './import-page.server.ts';

/** Shows a row for each column of the file, since files have more columns than screens. */
export function SampleCard({ columns, sampleRows }: Pick<Choice, 'columns' | 'sampleRows'>) {
  const rowLabels = sampleRows.map((row) => `Row ${row}`);
  return (
    <Card title="The First Rows of the File">
      <DataTable caption="The first rows of the file" columns={['Column', ...rowLabels]}>
        {columns.map(({ heading, cells }) => (
          <TableRow key={heading}>
            <TableRowHeader>{heading}</TableRowHeader>
            {rowLabels.map((label, at) => (
              <TableCell key={label} label={label}>
                {cells[at] ?? ''}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </DataTable>
    </Card>
  );
}
