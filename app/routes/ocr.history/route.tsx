import { authedLoader } from '#app/server/screen.server.ts';
import { useLoaderData } from '@remix-run/react';
import { Badge, ButtonLink, Card, Columns, EmptyState, DateTime } from '#app/ui/elements.tsx';
import { MeterCrop } from '#app/features/meters/meter-crop.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { Reading } from '#app/features/meters/reading.tsx';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { db } from '#app/server/db.server.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import { isAboveHighConfidence } from '#app/domain/meters/confidence.ts';
import { findScans } from '#app/domain/meters/queries.server.ts';
import { toScanView } from '#app/domain/meters/scan-view.ts';
import { parseId } from '#app/server/query-values.server.ts';
import { PAGE_ROWS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';

export const meta = createTitleMeta('Scan History');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor, url }) => {
    const after = parseId(url.searchParams.get('after'));
    const found = await findScans(db, actor.schoolId, { after, limit: PAGE_ROWS + 1 });
    const scans = found.slice(0, PAGE_ROWS);
    return {
      scans: scans.map((scan) => ({
        ...toScanView(scan),
        id: scan.id,
        aircraft: scan.aircraft,
        highlighted: isAboveHighConfidence(Number(scan.confidence)),
        at: formatDateTime(scan.createdAt, actor.timeZone),
      })),
      older: found.length > PAGE_ROWS ? `?after=${scans.at(-1)?.id}` : null,
      newest: after === undefined ? null : paths.scanHistory,
    };
  },
});

export default function ScanHistory() {
  const { scans, older, newest } = useLoaderData<typeof loader>();
  return (
    <Screen
      title="Scan History"
      showBackLink
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
            isTailNumber
            subtitle={`${scan.aircraft.make} ${scan.aircraft.model}`}
            badge={
              scan.detectedText !== '' && <Badge tone={scan.highlighted ? 'high' : 'outline'}>{scan.percent}</Badge>
            }
          >
            <p>
              {scan.meterName} {scan.detectedText !== '' && <Reading value={scan.detectedText} />}
            </p>
            <MeterCrop scan={scan} />
            {scan.doubt && <p className="hint">{scan.doubt}</p>}
            {scan.alternative && <p className="hint">{scan.alternative}</p>}
            <p className="subtitle">
              <DateTime value={scan.at} />
            </p>
          </Card>
        ))}
      </Columns>
      <Pager olderHref={older} newerHref={newest} />
    </Screen>
  );
}
