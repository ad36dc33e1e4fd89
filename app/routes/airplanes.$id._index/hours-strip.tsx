import { DataTable, TableCell, TableRow, TableRowHeader } from '#app/ui/data-table.tsx';

interface HoursStripProps {
  title: string;
  sums: { start: string; label: string; flights: number; hobbs: string; tach: string }[];
  none: string;
}

/** Shows a bar for each period, the oldest first, and the same as a table behind it. */
export function HoursStrip({ title, sums, none }: HoursStripProps) {
  if (sums.length === 0) return <p className="hint">{none}</p>;
  const most = Math.max(...sums.map(({ hobbs }) => Number(hobbs)), 1);
  const flights = sums.reduce((sum, period) => sum + period.flights, 0);
  return (
    <details className="hours-strip">
      <summary>
        {title}
        <svg aria-hidden="true" viewBox={`0 0 ${sums.length * 10} 20`} preserveAspectRatio="none">
          {sums.toReversed().map(({ start, hobbs }, index) => (
            <rect
              key={start}
              x={index * 10 + 1}
              width="8"
              y={20 - barHeight(hobbs, most)}
              height={barHeight(hobbs, most)}
            />
          ))}
        </svg>
        {`${flights} ${flights === 1 ? 'flight' : 'flights'}, up to ${most.toFixed(1)} h`}
      </summary>
      <DataTable caption={title} columns={['Period', 'Flights', 'Hobbs hours', 'Tach hours']}>
        {sums.map(({ start, label, flights: count, hobbs, tach }) => (
          <TableRow key={start}>
            <TableRowHeader>{label}</TableRowHeader>
            <TableCell label="Flights" isNumeric>
              {count}
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
    </details>
  );
}

function barHeight(hobbs: string, most: number): number {
  return Math.max(Math.round((Number(hobbs) / most) * 200) / 10, 0.5);
}
