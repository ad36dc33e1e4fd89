import { Link } from '#app/ui/link.tsx';
import { Reading } from '#app/features/meters/reading.tsx';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { DescriptionList } from '#app/ui/description-list.tsx';
import type { AircraftPageData } from './page-data.ts';
import { StatusForm } from '#app/features/aircraft/status-form.tsx';

export function StatusCard({ page }: { page: AircraftPageData }) {
  const { aircraft, openFlight } = page;
  return (
    <Card title="Status" actions={hasActions(page) && <StatusActions page={page} />}>
      {openFlight && (
        <p>
          {capitalized(openFlight.out)}
          {openFlight.pilot && ` with ${openFlight.pilot}`}.{' '}
          <Link to={paths.flightLog(openFlight.id)}>Details of the flight</Link>
        </p>
      )}
      {aircraft.groundedOnReturn && <p className="hint">Maintenance on return</p>}
      <DescriptionList
        items={[
          { term: 'Last Hobbs Time', detail: aircraft.lastHobbsTime && <Reading value={aircraft.lastHobbsTime} /> },
          { term: 'Last Tach Time', detail: aircraft.lastTachTime && <Reading value={aircraft.lastTachTime} /> },
        ]}
      />
      {!page.canSetStatus && !aircraft.isRemoved && (
        <p className="hint">Only administrators set an aircraft to maintenance and back.</p>
      )}
    </Card>
  );
}

function hasActions({ canSetStatus, canCheckOut, openFlight }: AircraftPageData): boolean {
  return canSetStatus || canCheckOut || openFlight?.isOwn === true;
}

function StatusActions({ page }: { page: AircraftPageData }) {
  const { aircraft, openFlight, canCheckOut, canSetStatus, requestId } = page;
  const isGrounded = aircraft.status === 'maintenance' || aircraft.groundedOnReturn;
  return (
    <>
      {canCheckOut && (
        <ButtonLink variant="primary" to={paths.checkOutAircraft(aircraft.id)}>
          Check Out
        </ButtonLink>
      )}
      {openFlight?.isOwn && (
        <ButtonLink variant="cta" to={paths.checkIn(openFlight.id)}>
          Complete Post-Flight Check
        </ButtonLink>
      )}
      {canSetStatus && (
        <StatusForm
          aircraftId={aircraft.id}
          requestId={requestId}
          intent={isGrounded ? 'mark-available' : 'set-maintenance'}
        />
      )}
    </>
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
