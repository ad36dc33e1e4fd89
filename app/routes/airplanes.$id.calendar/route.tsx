import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { requireAircraftRow } from '#app/domain/aircraft/queries.server.ts';
import { findCalendarLinkMadeAt, makeCalendarLink, removeCalendarLink } from '#app/domain/calendar/queries.server.ts';
import { formatDate } from '#app/domain/format.server.ts';
import { texts } from '#app/domain/texts.ts';
import { env } from '#app/env.server.ts';
import { CalendarCard } from '#app/features/aircraft/calendar-card.tsx';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { doneOnSamePage, redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { AircraftTrail } from '#app/ui/page/trail.tsx';
import { Secret, ShownOnce } from '#app/ui/page/shown-once.tsx';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Calendar');

const guard = { can: 'anyRole', ids: { id: texts.aircraftNotFound } } as const;

export const loader = authedLoader({
  ...guard,
  load: async ({ actor, params }) => {
    const { id, tail_number: tailNumber } = await requireAircraftRow(db, actor, params.id);
    const madeAt = await findCalendarLinkMadeAt(db, actor, id);
    return { id, tailNumber, madeAt: madeAt && formatDate(madeAt, actor.timeZone), requestId: newFormRequestId() };
  },
});

export const action = authedFormAction({
  ...guard,
  schema: z.object({ intent: z.enum(['make', 'remove'], texts.actionRequired) }),
  failed: 'Failed to change the calendar link',
  precheck: ({ actor, params }) => requireAircraftRow(db, actor, params.id),
  run: async ({ actor, params, input, requestId }) => {
    if (input.intent === 'remove') {
      await removeCalendarLink(db, actor, params.id, requestId);
      return redirectWithToast(paths.aircraft(params.id), successToast('Calendar link removed'));
    }
    const secret = await makeCalendarLink(db, actor, params.id, requestId);
    return doneOnSamePage('Calendar link made', { link: env.APP_URL + paths.calendar(secret) });
  },
});

export default function AircraftCalendar() {
  const { id, tailNumber, madeAt, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  return (
    <Screen
      title="Calendar"
      subtitle={<span className="tail-number">{tailNumber}</span>}
      showBackLink
      trail={<AircraftTrail aircraft={{ id, tailNumber }} page="Calendar" />}
      toast={useToast(reply)}
      width="form"
    >
      {reply && 'link' in reply ? (
        <NewCalendarLink aircraftId={id} link={reply.link} />
      ) : (
        <CalendarCard aircraftId={id} madeAt={madeAt} requestId={requestId} />
      )}
    </Screen>
  );
}

function NewCalendarLink({ aircraftId, link }: { aircraftId: number; link: string }) {
  return (
    <ShownOnce
      title="Your Calendar Link"
      warning="Copy this link now; it is not shown again. Who has it sees what you may see of this aircraft's flights and due dates, without a password."
      kept={{ to: paths.aircraft(aircraftId), label: 'I have kept it' }}
    >
      <Secret text={link} />
      <p>
        Give it to your calendar as a calendar from the internet, by its address. It ends with your password, or when
        you sign out everywhere.
      </p>
    </ShownOnce>
  );
}
