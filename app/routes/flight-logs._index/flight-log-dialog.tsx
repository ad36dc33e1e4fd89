import { Form } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import type { FlightDetails } from '#app/features/flights/flight-details.server.ts';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FlightDetailsBody } from '#app/features/flights/flight-details.tsx';
import { HiddenField, RequestId } from '#app/ui/forms/hidden-field.tsx';
import { NeighbourLinks } from '#app/ui/neighbour-links.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';

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
          <FlightActions flight={flight} requestId={requestId} />
          <NeighbourLinks noun="flight" newerHref={newerHref} olderHref={olderHref} />
        </>
      }
    >
      <FlightDetailsBody flight={flight} />
      <p>
        <Link className="text-link" to={paths.flightPage(flight.id)}>
          Page to print
        </Link>
      </p>
    </Dialog>
  );
}

function FlightActions({ flight: { id, permissions }, requestId }: { flight: FlightDetails; requestId: string }) {
  return (
    <>
      {permissions.complete && (
        <ButtonLink variant="primary" to={paths.checkIn(id)}>
          Complete Post-Flight Check
        </ButtonLink>
      )}
      {permissions.close && <ButtonLink to={paths.closeFlight(id)}>Close on behalf</ButtonLink>}
      {permissions.cancel && <ButtonLink to={paths.cancelCheckOut(id)}>Cancel check-out</ButtonLink>}
      {permissions.correct && <ButtonLink to={paths.correctFlight(id)}>Correct flight</ButtonLink>}
      {permissions.ground && (
        <Form method="post" preventScrollReset>
          <RequestId value={requestId} />
          <HiddenField name="flightLogId" value={String(id)} />
          <SubmitButton variant="secondary">Set to Maintenance</SubmitButton>
        </Form>
      )}
    </>
  );
}
