import { Link } from '#app/ui/link.tsx';
import { GROUNDED_ON_RETURN } from '#app/features/aircraft/aircraft-badge.tsx';
import { CalendarCard } from '#app/features/aircraft/calendar-card.tsx';
import { StatusForm } from '#app/features/aircraft/status-form.tsx';
import { Reading } from '#app/features/meters/reading.tsx';
import { paths } from '#app/paths.ts';
import { ButtonLink, Card, DescriptionList } from '#app/ui/elements.tsx';
import { QrCode } from '#app/ui/qr-code.tsx';
import type { AircraftPageData } from './aircraft-page.server.ts';

export function StatusCard({ page: { aircraft, openFlight, canSetStatus } }: { page: AircraftPageData }) {
  return (
    <Card>
      {openFlight && (
        <p>
          {capitalized(openFlight.out)}
          {openFlight.pilot && ` with ${openFlight.pilot}`}.{' '}
          <Link to={paths.flightPage(openFlight.id)}>Details of the flight</Link>
        </p>
      )}
      {aircraft.groundedOnReturn && <p className="hint">{GROUNDED_ON_RETURN}</p>}
      <DescriptionList
        items={[
          { term: 'Last Hobbs Time', detail: aircraft.lastHobbsTime && <Reading value={aircraft.lastHobbsTime} /> },
          { term: 'Last Tach Time', detail: aircraft.lastTachTime && <Reading value={aircraft.lastTachTime} /> },
        ]}
      />
      {!canSetStatus && !aircraft.isRemoved && (
        <p className="hint">Only administrators set an aircraft to maintenance and back.</p>
      )}
    </Card>
  );
}

export function AircraftActs({ page }: { page: AircraftPageData }) {
  const { aircraft, openFlight, canCheckOut, canSetStatus, requestId } = page;
  const isGrounded = aircraft.status === 'maintenance' || aircraft.groundedOnReturn;
  if (aircraft.isRemoved) return null;
  return (
    <div className="actions aircraft-acts">
      {canCheckOut && (
        <ButtonLink variant="primary" to={paths.readMeters(aircraft.id)}>
          Check Out
        </ButtonLink>
      )}
      {openFlight?.isOwn && (
        <ButtonLink variant="cta" to={paths.checkIn(openFlight.id)}>
          Complete Post-Flight Check
        </ButtonLink>
      )}
      <ButtonLink to={paths.addSquawk(aircraft.id)}>Report a Squawk</ButtonLink>
      {canSetStatus && (
        <StatusForm
          aircraftId={aircraft.id}
          requestId={requestId}
          intent={isGrounded ? 'mark-available' : 'set-maintenance'}
        />
      )}
      <More page={page} />
    </div>
  );
}

function More({ page: { aircraft, qr, calendarLinkMadeAt, canChangeMeters, requestId } }: { page: AircraftPageData }) {
  return (
    <details className="aircraft-more">
      <summary className="button" data-variant="secondary">
        More
      </summary>
      {canChangeMeters && <ButtonLink to={paths.aircraftMeters(aircraft.id)}>Meter Changes</ButtonLink>}
      <CalendarCard aircraftId={aircraft.id} madeAt={calendarLinkMadeAt} requestId={requestId} />
      <Card title="QR code">
        <p>Opens the check-out of this aircraft, and the check-in for who has it.</p>
        <QrCode qr={qr} label={`QR code of ${aircraft.tailNumber}`} />
        <p>
          <Link className="text-link" to={paths.aircraftCodes}>
            Print the codes of the fleet
          </Link>
        </p>
      </Card>
    </details>
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
