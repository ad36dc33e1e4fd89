import { Card } from '#app/ui/card.tsx';
import { DataTable, TableCell, TableRow, TableRowHeader } from '#app/ui/data-table.tsx';

interface HoursCardProps {
  title: string;
  sums: { start: string; label: string; flights: number; hobbs: string; tach: string }[];
  none: string;
}

export function HoursCard({ title, sums, none }: HoursCardProps) {
  return (
    <Card title={title}>
      {sums.length === 0 ? (
        <p className="hint">{none}</p>
      ) : (
        <DataTable caption={title} columns={['Period', 'Flights', 'Hobbs hours', 'Tach hours']}>
          {sums.map(({ start, label, flights, hobbs, tach }) => (
            <TableRow key={start}>
              <TableRowHeader>{label}</TableRowHeader>
              <TableCell label="Flights" isNumeric>
                {flights}
              </TableCell>
              <TableCell label="Hobbs hours" isNumeric>
                {hobbs}
              </TableCell>
              <TableCell label="Tach hours" isNumeric>
                {tach}
              </TableCell>
            </TableRow>
          ))}
        </DataTable>
      )}
    </Card>
  );
}
