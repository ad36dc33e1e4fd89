import type { ImportView } from '#app/features/imports/import-view.server.ts';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { DateTime } from '#app/ui/date-time.tsx';
import { DescriptionList } from '#app/ui/description-list.tsx';

interface RowText {
  row: number;
  column: string | null;
  message: string;
}

interface PreviewCardProps {
  view: ImportView;
  preview: { problems: RowText[]; remarks: RowText[]; changes: RowText[] };
}

export function PreviewCard({ view, preview }: PreviewCardProps) {
  const { rows, added, changed, present, refused, skipped } = view.counts;
  const number = (count: number) => count.toLocaleString('en');
  return (
    <Card title={view.stateText}>
      <DescriptionList
        items={[
          { term: 'Rows', detail: number(rows) },
          { term: 'New', detail: number(added) },
          { term: 'Changed', detail: number(changed) },
          { term: 'There already', detail: number(present) },
          { term: 'Refused', detail: number(refused) },
          ...(skipped > 0 ? [{ term: 'Skipped', detail: number(skipped) }] : []),
          { term: TIMES[view.state], detail: <DateTime value={view.at} /> },
        ]}
      />
      {skipped > 0 && <p className="subtitle">Sums, repeated headings and footers are skipped.</p>}
      <RowList title="Refused Rows" rows={preview.problems} />
      {preview.problems.length > 0 && (
        <p>
          <ButtonLink to={paths.refusedRows(view.id)} reloadDocument download>
            All refused rows as CSV
          </ButtonLink>
        </p>
      )}
      <RowList title="What Changes" rows={preview.changes} />
      <RowList title="Worth a Look" rows={preview.remarks} />
    </Card>
  );
}

const TIMES = { uploaded: 'Uploaded', applied: 'Imported', undone: 'Undone' };

function RowList({ title, rows }: { title: string; rows: RowText[] }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className="note-list">
        {rows.map(({ row, column, message }, at) => (
          <li key={at}>{`Row ${row}${column === null ? '' : `, ${column}`}: ${message}`}</li>
        ))}
      </ul>
    </>
  );
}
