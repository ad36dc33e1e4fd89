import { publicLoader } from '#app/server/screen.server.ts';
import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import type { FlightLineAircraft } from '#app/features/flight-line/flight-line-view.server.ts';
import { FlightLine, FlightLineRows } from '#app/features/flight-line/flight-line.tsx';
import { RoleBadge } from '#app/features/people/role-badge.tsx';
import { ButtonLink, Card, Actions, Notice } from '#app/ui/elements.tsx';
import { type DashboardData, loadDashboard } from './dashboard.server.ts';
import { LinkCards } from './link-cards.tsx';
import { OpenFlights } from './open-flights.tsx';
import { Screen, createTitleMeta, useProductName, useToast } from '#app/ui/page/screen.tsx';
import { paths } from '#app/paths.ts';

export const meta = createTitleMeta('Dashboard');

export const loader = publicLoader(async ({ actor }) => {
  if (actor?.mustAddSecondFactor) throw redirect(paths.secondFactor);
  return { dashboard: actor ? await loadDashboard(actor) : null };
});

export default function Dashboard() {
  const { dashboard } = useLoaderData<typeof loader>();
  return dashboard ? <SignedInDashboard dashboard={dashboard} /> : <Welcome />;
}

function Welcome() {
  return (
    <Screen title={`Welcome to ${useProductName()}`} toast={useToast(undefined)} width="form">
      <Card>
        <p>Check an aircraft out before a flight, check it in after, and find every flight in the logs.</p>
        <Actions>
          <ButtonLink variant="primary" to={paths.login}>
            Login
          </ButtonLink>
        </Actions>
      </Card>
    </Screen>
  );
}

function SignedInDashboard({ dashboard }: { dashboard: DashboardData }) {
  const { username, role, school, openFlights, inFlight, canCheckOut, seesAll, line } = dashboard;
  const flights = <OpenFlights title={seesAll ? 'All Open Flights' : 'Your Open Flights'} flights={openFlights} />;
  const listed = openFlights.map(({ aircraftId }) => aircraftId);
  const unlisted = line.rows.filter(({ id }) => !listed.includes(id));
  const urgent = unlisted.filter(needsSomebody);
  const others = unlisted.filter((aircraft) => !needsSomebody(aircraft));
  return (
    <Screen title={`Welcome, ${username}`} badge={<RoleBadge role={role} />} toast={useToast(undefined)}>
      {inFlight ? (
        <Notice tone="caution">{inFlight}</Notice>
      ) : (
        canCheckOut && (
          <ButtonLink variant="cta" to={paths.checkOut}>
            Check Out
          </ButtonLink>
        )
      )}
      {inFlight !== null && flights}
      {urgent.length > 0 && (
        <section className="flight-line" aria-labelledby="needs-somebody">
          <h2 id="needs-somebody">Needs somebody</h2>
          <FlightLineRows rows={urgent} line={line} />
        </section>
      )}
      {inFlight === null && flights}
      {school && <FlightLine line={line} rows={others} />}
      <LinkCards role={role} school={school} />
    </Screen>
  );
}

function needsSomebody({ state }: FlightLineAircraft): boolean {
  return state === 'overdue' || state === 'attention';
}
