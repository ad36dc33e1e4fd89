import { publicLoader } from '#app/server/screen.server.ts';
import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { type FlightLineAircraft, loadFlightLine } from '#app/features/flight-line/flight-line-view.server.ts';
import { FlightLine, FlightLineRows } from '#app/features/flight-line/flight-line.tsx';
import { RoleBadge } from '#app/features/people/role-badge.tsx';
import { ButtonLink, Card, Actions, Notice } from '#app/ui/elements.tsx';
import { LinkCards } from './link-cards.tsx';
import { OpenFlights } from './open-flights.tsx';
import { Screen, pageTitle, useProductName, useToast } from '#app/ui/page/screen.tsx';
import { db } from '#app/server/db.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { findNamesakeMarks, markedName } from '#app/domain/people/namesakes.server.ts';
import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import type { OpenFlight } from '#app/domain/flights/schema.server.ts';
import { formatDateTime, wallClockHours } from '#app/domain/format.server.ts';
import { can } from '#app/domain/permissions.ts';
import { findSchool } from '#app/domain/school/queries.server.ts';
import { texts } from '#app/domain/texts.ts';
import { LONG_OPEN_HOURS, MS_PER_HOUR } from '#app/limits.ts';
import { paths } from '#app/paths.ts';

export const meta = pageTitle('Dashboard');

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

function SignedInDashboard({ dashboard }: { dashboard: Awaited<ReturnType<typeof loadDashboard>> }) {
  const { username, role, school, openFlights, inFlight, canCheckOut, seesAll, line } = dashboard;
  const flights = <OpenFlights title={seesAll ? 'All Open Flights' : 'Your Open Flights'} flights={openFlights} />;
  const urgent = line.rows.filter(needsSomebody);
  const listed = openFlights.map(({ aircraftId }) => aircraftId);
  const others = line.rows.filter((aircraft) => !needsSomebody(aircraft) && !listed.includes(aircraft.id));
  return (
    <Screen title={`Welcome, ${username}`} badge={<RoleBadge role={role} />} toast={useToast(undefined)}>
      {inFlight ? (
        <Notice tone="caution">{texts.activeFlight}</Notice>
      ) : (
        canCheckOut && (
          <ButtonLink variant="cta" to={paths.checkOut}>
            Check Out
          </ButtonLink>
        )
      )}
      {inFlight && flights}
      {urgent.length > 0 && (
        <section className="flight-line" aria-labelledby="needs-somebody">
          <h2 id="needs-somebody">Needs somebody</h2>
          <FlightLineRows rows={urgent} line={line} />
        </section>
      )}
      {!inFlight && flights}
      {school && <FlightLine line={line} rows={others} />}
      <LinkCards role={role} school={school} />
    </Screen>
  );
}

function needsSomebody({ state }: FlightLineAircraft): boolean {
  return state === 'overdue' || state === 'attention';
}

async function loadDashboard(actor: Actor) {
  const { id, username, role, schoolId } = actor;
  const seesAll = can(role, 'see all open flights');
  const [school, flights, marks, line] = await Promise.all([
    findSchool(db, schoolId),
    findOpenFlights(db, schoolId, seesAll ? undefined : id),
    findNamesakeMarks(db, actor),
    loadFlightLine(actor),
  ]);
  return {
    username,
    role,
    school: school ?? null,
    openFlights: ownFirst(seesAll ? longOpenFirst(flights) : flights, id).map((flight) =>
      toOpenFlightRow(flight, actor, marks),
    ),
    line,
    inFlight: flights.some((flight) => flight.user.id === id),
    canCheckOut: can(role, 'check out aircraft'),
    seesAll,
  };
}

function ownFirst(flights: OpenFlight[], pilotId: number): OpenFlight[] {
  return flights.toSorted((a, b) => Number(b.user.id === pilotId) - Number(a.user.id === pilotId));
}

function longOpenFirst(flights: OpenFlight[]): OpenFlight[] {
  const isLong = ({ createdAt }: OpenFlight) => hoursSince(createdAt) > LONG_OPEN_HOURS;
  return [...flights.filter(isLong).toReversed(), ...flights.filter((flight) => !isLong(flight))];
}

function hoursSince(createdAt: string): number {
  return (Date.now() - Date.parse(createdAt)) / MS_PER_HOUR;
}

function toOpenFlightRow({ id, aircraft, user, createdAt }: OpenFlight, reader: Actor, marks: Map<number, string>) {
  return {
    id,
    aircraftId: aircraft.id,
    tailNumber: aircraft.tailNumber,
    makeAndModel: `${aircraft.make} ${aircraft.model}`,
    started: formatDateTime(createdAt, reader.timeZone),
    hoursOpen:
      can(reader.role, 'see all open flights') && hoursSince(createdAt) > LONG_OPEN_HOURS
        ? wallClockHours(createdAt, new Date())
        : null,
    pilot: can(reader.role, 'see all open flights') ? markedName(marks, user) : null,
    isOwn: user.id === reader.id,
    canOversee: user.id !== reader.id && can(reader.role, 'close any flight'),
  };
}
