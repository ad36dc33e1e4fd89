import { useLoaderData } from '@remix-run/react';
import { FlightLine } from '#app/features/flight-line/flight-line.tsx';
import { loadFlightLine } from '#app/features/flight-line/flight-line-view.server.ts';
import { authedLoader } from '#app/server/screen.server.ts';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { RENEWED } from '#app/ui/page/renewed.ts';
import { Screen } from '#app/ui/page/screen.tsx';
import { useRenewal } from './use-renewal.ts';

export const meta = pageTitle('The line');

export const handle = RENEWED;

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor }) => ({ line: await loadFlightLine(actor) }),
});

export default function Line() {
  const { line } = useLoaderData<typeof loader>();
  useRenewal();
  return (
    <Screen title="The line" showBackLink toast={useToast(undefined)}>
      <FlightLine line={line} size="large" />
    </Screen>
  );
}
