import { paths } from '#app/paths.ts';
import { Card } from '#app/ui/elements.tsx';
import { DataTable, TableCell, TableRow, TableRowHeader } from '#app/ui/data-table.tsx';

interface FileKindsProps {
  kinds: { value: string; label: string; needs: string }[];
}

/** Says what a file must hold before one is chosen, with a file of each kind to begin with. */
export function FileKinds({ kinds }: FileKindsProps) {
  return (
    <Card
      title="What a File Must Hold"
      subtitle="Columns may have other names and more of them may be there; what is not used is listed before anything is written. What is the same in every row, such as the aircraft, may be said once instead."
    >
      <DataTable caption="What a file must hold" columns={['Kind', 'Needs', 'Template']}>
        {kinds.map(({ value, label, needs }) => (
          <TableRow key={value}>
            <TableRowHeader>{label}</TableRowHeader>
            <TableCell label="Needs">{needs}</TableCell>
            <TableCell label="Template">
              {(['csv', 'xlsx'] as const).map((ending) => (
                <a
                  key={ending}
                  className="text-link"
                  href={paths.importTemplate(`${value}.${ending}`)}
                  aria-label={`${label} as ${ending}`}
                  download
                >
                  {ending}
                </a>
              ))}
            </TableCell>
          </TableRow>
        ))}
      </DataTable>
    </Card>
  );
}
