import { Link } from '#app/ui/link.tsx';
import type { FlightDetails } from '#app/features/flights/flight-details.server.ts';
import { paths } from '#app/paths.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { FlightActs } from '#app/features/flights/flight-acts.tsx';
import { FlightFacts } from '#app/features/flights/flight-details.tsx';
import { NeighbourLinks } from '#app/ui/neighbour-links.tsx';

interface FlightLogDialogProps {
  flight: FlightDetails;
  closeHref: string;
  newerHref: string | null;
  olderHref: string | null;
  requestId: string;
}

export function FlightLogDialog({ flight, closeHref, newerHref, olderHref, requestId }: FlightLogDialogProps) {
  return (
    <Dialog
      title="Flight Log Details"
      closeHref={closeHref}
      actions={
        <>
          <Link className="text-link" to={paths.flightPage(flight.id)}>
            Page to print
          </Link>
          <FlightActs flight={flight} requestId={requestId} />
          <NeighbourLinks noun="flight" newerHref={newerHref} olderHref={olderHref} />
        </>
      }
    >
      <FlightFacts flight={flight} headingLevel={3} />
    </Dialog>
  );
}
