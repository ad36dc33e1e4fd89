import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/elements.tsx';
import { ActForm, SubmitButton } from '#app/ui/forms/form.tsx';
import type { FlightDetails } from './flight-details.server.ts';

export function FlightActs({ flight, requestId }: { flight: FlightDetails; requestId: string }) {
  const { id, aircraftId, permissions, canReport } = flight;
  return (
    <>
      {permissions.complete && (
        <ButtonLink variant="primary" to={paths.checkIn(id)}>
          Complete Post-Flight Check
        </ButtonLink>
      )}
      {permissions.close && <ButtonLink to={paths.closeFlight(id)}>Close on behalf</ButtonLink>}
      {permissions.correct && <ButtonLink to={paths.correctFlight(id)}>Correct flight</ButtonLink>}
      {permissions.cancel && <ButtonLink to={paths.cancelCheckOut(id)}>Cancel check-out</ButtonLink>}
      {canReport && <ButtonLink to={paths.addSquawk(aircraftId)}>Report a Squawk</ButtonLink>}
      {permissions.ground && (
        <ActForm action={paths.flightPageAction(id)} preventScrollReset requestId={requestId}>
          <SubmitButton variant="secondary">Set to Maintenance</SubmitButton>
        </ActForm>
      )}
    </>
  );
}
