import { paths } from '#app/paths.ts';
import { Link } from '#app/ui/link.tsx';

interface TrailStep {
  label: string;
  to?: string;
}

/** The pages above this one, and this one last, without a link. */
export function Trail({ steps }: { steps: TrailStep[] }) {
  return (
    <nav aria-label="Breadcrumb" className="trail">
      <ol>
        {steps.map(({ label, to }) => (
          <li key={label}>{to ? <Link to={to}>{label}</Link> : <span>{label}</span>}</li>
        ))}
      </ol>
    </nav>
  );
}

export function AircraftTrail({ aircraft, page }: { aircraft: { id: number; tailNumber: string }; page: string }) {
  const { id, tailNumber } = aircraft;
  const steps = [{ label: 'Fleet', to: paths.fleet }, { label: tailNumber, to: paths.aircraft(id) }, { label: page }];
  return <Trail steps={steps} />;
}

export function FlightTrail({ id, page }: { id: number; page: string }) {
  const flight = { label: `Flight #${id}`, to: paths.flightPage(id) };
  return <Trail steps={[{ label: 'Logs', to: paths.flightLogs }, flight, { label: page }]} />;
}
