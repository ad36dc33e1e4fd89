import { useLoaderData, useRevalidator } from '@remix-run/react';
import { FlightLine } from '#app/features/flight-line/flight-line.tsx';
import { loadFlightLine } from '#app/features/flight-line/flight-line-view.server.ts';
import { authedLoader } from '#app/server/screen.server.ts';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { AUTO_RENEWED_HANDLE } from '#app/ui/page/renewed.ts';
import { useEffect, useRef } from 'react';
import { FLIGHT_LINE_RENEWAL_S } from '#app/limits.ts';
import { paths } from '#app/paths.ts';

export const meta = createTitleMeta('The line');

export const handle = AUTO_RENEWED_HANDLE;

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

/** Reads the page's data again every minute, once the server is found to be there: an error page would stay. */
function useRenewal(): void {
  const { revalidate } = useRevalidator();
  const renew = useRef(revalidate);
  renew.current = revalidate;
  useEffect(() => {
    const renewIfServed = async () => {
      if (await isServed()) renew.current();
    };
    const timer = setInterval(() => void renewIfServed(), FLIGHT_LINE_RENEWAL_S * 1000);
    return () => clearInterval(timer);
  }, []);
}

async function isServed(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(FLIGHT_LINE_RENEWAL_S * 500);
    return (await fetch(paths.line, { method: 'HEAD', signal })).ok;
  } catch {
    return false;
  }
}
