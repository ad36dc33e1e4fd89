import type { FlightLog } from '#app/domain/flights/schema.server.ts';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/elements.tsx';
import type { FormReply } from '#app/ui/forms/form.tsx';
import { ErrorPage } from '#app/ui/page/error-page.tsx';
import { NotSavedEntries } from '#app/ui/page/not-saved-entries.tsx';

type Reply = FormReply & { status: number };

export function conflictText(foundByLoader: string | null, reply: Reply | undefined): string | null {
  if (!reply) return foundByLoader;
  return reply.status === 409 ? (reply.toast?.text ?? null) : null;
}

interface FlightConflictProps {
  flight: Pick<FlightLog, 'id' | 'aircraft' | 'status'>;
  text: string;
  reply: FormReply | undefined;
  title?: string;
}

/** Stands in place of a flight's form that cannot be sent any more: says what was entered, and the ways on. */
export function FlightConflict({ flight, text, reply, title = 'Error' }: FlightConflictProps) {
  const ways = (
    <>
      {flight.status !== 'cancelled' && <ButtonLink to={paths.flightPage(flight.id)}>View Flight Log</ButtonLink>}
      {Boolean(reply?.result?.initialValue?.notes) && (
        <ButtonLink to={paths.addSquawk(flight.aircraft.id)}>Report Your Notes as a Squawk</ButtonLink>
      )}
    </>
  );
  return (
    <ErrorPage title={title} text={text} action={ways}>
      <NotSavedEntries reply={reply} />
    </ErrorPage>
  );
}
