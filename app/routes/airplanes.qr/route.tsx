import { useLoaderData } from '@remix-run/react';
import { findFleet } from '#app/domain/aircraft/queries.server.ts';
import { AircraftBadges } from '#app/features/aircraft/aircraft-badge.tsx';
import { drawCheckOutQr } from '#app/features/aircraft/aircraft-qr.server.ts';
import { QR_CODES_PER_SHEET } from '#app/limits.ts';
import { paths, serverOnlyPaths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { authedLoader } from '#app/server/screen.server.ts';
import { EmptyState } from '#app/ui/elements.tsx';
import { createTitleMeta, Screen } from '#app/ui/page/screen.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { QrCode } from '#app/ui/qr-code.tsx';

export const meta = createTitleMeta('QR Codes');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor, url }) => {
    const fleet = await findFleet(db, actor.schoolId);
    const after = url.searchParams.get('after');
    const start = after === null ? 0 : fleet.findIndex(({ tailNumber }) => tailNumber === after) + 1;
    const sheet = fleet.slice(start, start + QR_CODES_PER_SHEET);
    const last = start + QR_CODES_PER_SHEET < fleet.length ? sheet.at(-1) : undefined;
    return {
      codes: sheet.map(({ id, tailNumber, status, condition }) => ({
        ...{ id, tailNumber, status, condition },
        qr: drawCheckOutQr(id),
      })),
      first: start > 0 ? paths.aircraftCodes : null,
      next: last ? serverOnlyPaths.aircraftCodesAfter(last.tailNumber) : null,
    };
  },
});

export default function AircraftCodes() {
  const { codes, first, next } = useLoaderData<typeof loader>();
  return (
    <Screen
      title="QR Codes"
      subtitle="Each opens the check-out of its aircraft, and the check-in for who has it. Print this page and put them into the cockpits."
      showBackLink
    >
      {codes.length === 0 && <EmptyState text="No aircraft available at your flight school" />}
      <ul className="qr-sheet">
        {codes.map(({ id, tailNumber, status, condition, qr }) => (
          <li key={id}>
            <QrCode qr={qr} label={`QR code of ${tailNumber}`} />
            <p className="tail-number">{tailNumber}</p>
            <AircraftBadges status={status} condition={condition} />
          </li>
        ))}
      </ul>
      <Pager newerHref={first} olderHref={next} labels={{ newer: 'First', older: 'Next' }} />
    </Screen>
  );
}
