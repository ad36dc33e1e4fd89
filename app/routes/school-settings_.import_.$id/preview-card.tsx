import type { ImportView } from '#app/features/imports/import-view.server.ts';
import { paths } from '#app/paths.ts';
import { ButtonLink, Card, DateTime, DescriptionList } from '#app/ui/elements.tsx';
import type { ImportPageData } from './import-page.server.ts';

interface PreviewCardProps {
  view: ImportView;
  preview: ImportPageData['preview'];
}

export function PreviewCard({ view, preview }: PreviewCardProps) {
  const { rows, added, changed, present, different, refused, skipped } = view.counts;
  const number = (count: number) => count.toLocaleString('en');
  return (
    <Card title={view.stateText}>
      <RowsBar counts={view.counts} />
      <DescriptionList
        items={[
          { term: 'Rows', detail: number(rows) },
          { term: 'New', detail: number(added) },
          { term: 'Changed', detail: number(changed) },
          { term: 'There already', detail: number(present) },
          { term: 'Different', detail: number(different) },
          { term: 'Refused', detail: number(refused) },
          ...(skipped > 0 ? [{ term: 'Skipped', detail: number(skipped) }] : []),
          { term: TIMES[view.state], detail: <DateTime value={view.at} /> },
        ]}
      />
      {skipped > 0 && (
        <p className="subtitle">{`Sums, repeated headings and footers are skipped${preview.skipped}.`}</p>
      )}
      <RowList title="Refused Rows" texts={preview.causes} />
      {preview.causes.length > 0 && (
        <p>
          <ButtonLink to={paths.refusedRows(view.id)} reloadDocument download>
            All refused rows as CSV
          </ButtonLink>
        </p>
      )}
      <RowList title="What Changes" texts={preview.changes} />
      <RowList
        title="Different Here"
        hint="These stay as they are here, or as the first row of the file has them. Put them right on their own pages, or in the file."
        texts={preview.differences}
      />
      <RowList title="Worth a Look" texts={preview.remarks} />
      {preview.there.length > 0 && (
        <details>
          <summary>There Already</summary>
          <RowList texts={preview.there} />
        </details>
      )}
    </Card>
  );
}

const TIMES = { uploaded: 'Uploaded', applied: 'Imported', undone: 'Undone' };

/** One bar of all rows: new, changed, different, there already, refused, in the order of the counts below it. */
function RowsBar({ counts }: { counts: ImportView['counts'] }) {
  const parts = (['added', 'changed', 'present', 'different', 'refused', 'skipped'] as const).map((kind) => ({
    kind,
    rows: counts[kind],
  }));
  const starts = parts.map((_, at) => parts.slice(0, at).reduce((sum, { rows }) => sum + rows, 0));
  return (
    <svg
      className="import-bar"
      viewBox={`0 0 ${Math.max(1, counts.rows)} 1`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {parts.map(({ kind, rows }, at) => (
        <rect key={kind} data-kind={kind} x={starts[at]} width={rows} height="1" />
      ))}
    </svg>
  );
}

function RowList({ title, hint, texts }: { title?: string; hint?: string; texts: string[] }) {
  if (texts.length === 0) return null;
  return (
    <>
      {title && <h3>{title}</h3>}
      {hint && <p className="hint">{hint}</p>}
      <ul className="note-list">
        {texts.map((text, at) => (
          <li key={at}>{text}</li>
        ))}
      </ul>
    </>
  );
}

interface MovingInCardProps {
  movingIn: NonNullable<ImportPageData['movingIn']>;
}

export function MovingInCard({ movingIn: { school, exportedAt, counts, you } }: MovingInCardProps) {
  return (
    <Card
      title={`Everything of ${school}`}
      subtitle="All of it comes into this school, or nothing. This school gets the name, the time zone and the settings of the file. It cannot be taken back in one step."
    >
      <DescriptionList
        items={[
          { term: 'Exported', detail: <DateTime value={exportedAt} /> },
          ...counts.map(({ label, rows }) => ({ term: label, detail: rows.toLocaleString('en') })),
          ...(you === undefined ? [] : [{ term: 'You are', detail: you }]),
        ]}
      />
      <p className="hint">
        You keep your sign-in. Nobody else has a password yet: send each of them a link from their page.
      </p>
    </Card>
  );
}
