import { useLoaderData } from '@remix-run/react';
import { RoleBadge } from '#app/ui/badge.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Actions, Columns } from '#app/ui/layout.tsx';
import { Logout } from '#app/ui/page/logout-form.tsx';
import { AircraftManagementCard, UserManagementCard } from './management-cards.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { OpenFlights } from './open-flights.tsx';
import { SchoolCard } from './school-card.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { titled, useProductName, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { findOpenFlights, type OpenFlight } from '#app/domain/flights/queries.server.ts';
import { moment } from '#app/domain/format.server.ts';
import { may } from '#app/domain/permissions.ts';
import { findSchool } from '#app/domain/school/queries.server.ts';
import { texts } from '#app/domain/texts.ts';
import { anyone } from '#app/server/screen.server.ts';
import { actorOf } from '#app/server/session.server.ts';
import { paths } from '#app/paths.ts';

export const meta = titled('Dashboard');

export const loader = anyone(async ({ request }) => {
  const actor = await actorOf(db, request);
  return { desk: actor ? await deskOf(actor) : null };
});

export default function Dashboard() {
  const { desk } = useLoaderData<typeof loader>();
  return desk ? <Desk desk={desk} /> : <Welcome />;
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

function Desk({ desk }: { desk: Awaited<ReturnType<typeof deskOf>> }) {
  const { username, role, school, openFlights, inFlight, manages } = desk;
  return (
    <Screen
      title={`Welcome, ${username}`}
      badge={<RoleBadge role={role} />}
      actions={<Logout />}
      toast={useToast(undefined)}
    >
      {inFlight ? (
        <Notice tone="caution">{texts.activeFlight}</Notice>
      ) : (
        <ButtonLink variant="go" to={paths.checkOut}>
          Check Out
        </ButtonLink>
      )}
      <OpenFlights title={manages.flights ? 'All Open Flights' : 'Your Open Flights'} flights={openFlights} />
      <Columns>
        <SchoolCard school={school} manageable={manages.school} />
        <Card title="Flight Logs" actions={<ButtonLink to={paths.flightLogs}>View Flight History</ButtonLink>}>
          <p>Every flight of the school, newest first.</p>
        </Card>
        {manages.aircraft && <AircraftManagementCard />}
        {manages.users && <UserManagementCard />}
      </Columns>
    </Screen>
  );
}

/** What stands on this user's dashboard (spec §2, §6). */
async function deskOf(actor: Actor) {
  const { id, username, role, schoolId } = actor;
  const seesAll = may(role, 'see all open flights');
  const [school, flights] = await Promise.all([
    findSchool(db, schoolId),
    schoolId === null ? [] : findOpenFlights(db, schoolId, seesAll ? undefined : id),
  ]);
  return {
    username,
    role,
    school: school ?? null,
    openFlights: flights.map((flight) => shown(flight, actor)),
    inFlight: flights.some((flight) => flight.user.id === id),
    manages: {
      flights: seesAll,
      school: may(role, 'manage school'),
      aircraft: may(role, 'manage aircraft'),
      users: may(role, 'manage users'),
    },
  };
}

function shown({ id, aircraft, user, createdAt }: OpenFlight, reader: Actor) {
  return {
    id,
    tailNumber: aircraft.tailNumber,
    makeAndModel: `${aircraft.make} ${aircraft.model}`,
    started: moment(createdAt, reader.timeZone),
    pilot: may(reader.role, 'see all open flights') ? user.username : null,
    own: user.id === reader.id,
    overseen: user.id !== reader.id && may(reader.role, 'close flights on behalf'),
  };
}
