import { Link } from '#app/ui/link.tsx';
import type { ImportView } from '#app/features/imports/import-view.server.ts';
import { paths } from '#app/paths.ts';
import { Card, DateTime, EmptyState } from '#app/ui/elements.tsx';

export function ImportList({ imports }: { imports: ImportView[] }) {
  return (
    <Card title="Imports">
      {imports.length === 0 && <EmptyState text="Nothing was imported yet." />}
      <ul className="note-list">
        {imports.map(({ id, fileName, kind, stateText, counts, at, by }) => (
          <li key={id}>
            <p>
              <Link className="text-link" to={paths.import(id)}>
                {fileName}
              </Link>
            </p>
            <p>{`${kind}, ${counts.rows.toLocaleString('en')} rows: ${stateText}`}</p>
            <p className="hint">
              {by}, <DateTime value={at} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
