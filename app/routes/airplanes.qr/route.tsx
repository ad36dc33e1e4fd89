import { useLoaderData } from '@remix-run/react';
import { findFleet } from '#app/domain/aircraft/queries.server.ts';
import { aircraftQr } from '#app/features/aircraft/aircraft-qr.server.ts';
import { db } from '#app/server/db.server.ts';
import { authedLoader } from '#app/server/screen-loader.server.ts';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { pageTitle } from '#app/ui/hooks/use-root-data.ts';
import { Screen } from '#app/ui/page/screen.tsx';
import { QrCode } from '#app/ui/qr-code.tsx';

export const meta = pageTitle('QR Codes');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor }) => {
    const fleet = await findFleet(db, actor.schoolId);
    return { codes: fleet.map(({ id, tailNumber }) => ({ id, tailNumber, qr: aircraftQr(id) })) };
  },
});

/** A sheet to print and cut up. */
export default function AircraftCodes() {
  const { codes } = useLoaderData<typeof loader>();
  return (
    <Screen
      title="QR Codes"
      subtitle="Each opens the check-out of its aircraft, and the check-in for who has it. Print this page and put them into the cockpits."
      showBackLink
    >
      {codes.length === 0 && <EmptyState text="No aircraft available at your flight school" />}
      <ul className="qr-sheet">
        {codes.map(({ id, tailNumber, qr }) => (
          <li key={id}>
            <QrCode qr={qr} label={`QR code of ${tailNumber}`} />
            <p className="tail-number">{tailNumber}</p>
          </li>
        ))}
      </ul>
    </Screen>
  );
}
