import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { Card } from '#app/ui/card.tsx';
import { QrCode } from '#app/ui/qr-code.tsx';
import type { AircraftPageData } from './page-data.ts';

export function QrCard({ page: { aircraft, qr } }: { page: AircraftPageData }) {
  return (
    <Card title="QR code">
      <p>Opens the check-out of this aircraft, and the check-in for who has it.</p>
      <QrCode qr={qr} label={`QR code of ${aircraft.tailNumber}`} />
      <p>
        <Link className="text-link" to={paths.aircraftCodes}>
          Print the codes of the fleet
        </Link>
      </p>
    </Card>
  );
}
