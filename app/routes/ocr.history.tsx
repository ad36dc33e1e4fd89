import { useLoaderData } from '@remix-run/react';
import { Badge } from '../components/badge.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Columns } from '../components/columns.tsx';
import { Counter } from '../components/counter.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Moment } from '../components/moment.tsx';
import { Pager } from '../components/pager.tsx';
import { Reading } from '../components/reading.tsx';
import { Screen } from '../components/screen.tsx';
import { titled, useToast } from '../components/use-root.ts';
import { db } from '../db.server.ts';
import { moment } from '../domain/format.server.ts';
import { isHighlighted } from '../domain/meters/confidence.ts';
import { findScans } from '../domain/meters/queries.server.ts';
import { shownScan } from '../domain/meters/shown-scan.ts';
import { idFrom } from '../http/ids.server.ts';
import { signedIn } from '../http/screen.server.ts';
import { paths } from '../paths.ts';

const PAGE = 50;

export const meta = titled('Scan History');

export const loader = signedIn(async ({ actor, url }) => {
  const after = idFrom(url.searchParams.get('after'));
  const found = actor.schoolId === null ? [] : await findScans(db, actor.schoolId, { after, limit: PAGE + 1 });
  const scans = found.slice(0, PAGE);
  return {
    scans: scans.map((scan) => ({
      ...shownScan(scan),
      id: scan.id,
      aircraft: scan.aircraft,
      highlighted: isHighlighted(Number(scan.confidence)),
      at: moment(scan.createdAt, actor.timeZone),
    })),
    older: found.length > PAGE ? `?after=${scans.at(-1)?.id}` : null,
    newest: after === undefined ? null : paths.scanHistory,
  };
});

export default function ScanHistory() {
  const { scans, older, newest } = useLoaderData<typeof loader>();
  return (
    <Screen
      title="Scan History"
      back
      actions={<ButtonLink to={paths.scan}>Scan Meter</ButtonLink>}
      toast={useToast(undefined)}
    >
      {scans.length === 0 && (
        <EmptyState
          text="No scan history yet. Start by scanning an aircraft meter."
          action={<ButtonLink to={paths.scan}>Scan Meter</ButtonLink>}
        />
      )}
      <Columns>
        {scans.map((scan) => (
          <Card
            key={scan.id}
            title={scan.aircraft.tailNumber}
            placard
            subtitle={`${scan.aircraft.make} ${scan.aircraft.model}`}
            aside={<Badge tone={scan.highlighted ? 'high' : 'outline'}>{scan.percent}</Badge>}
          >
            <p>
              {scan.meterName} <Reading value={scan.detectedText} />
            </p>
            <Counter scan={scan} />
            {scan.doubt && <p className="hint">{scan.doubt}</p>}
            <p className="subtitle">
              <Moment at={scan.at} />
            </p>
          </Card>
        ))}
      </Columns>
      <Pager older={older} newer={newest} />
    </Screen>
  );
}
