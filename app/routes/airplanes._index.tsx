import { useLoaderData } from '@remix-run/react';
import { AircraftCard } from '../components/aircraft-card.tsx';
import { ButtonLink } from '../components/button.tsx';
import { CardList } from '../components/columns.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Notice } from '../components/notice.tsx';
import { Screen } from '../components/screen.tsx';
import { titled, useToast } from '../components/use-root.ts';
import { db } from '../db.server.ts';
import { findFleet } from '../domain/aircraft/queries.server.ts';
import { may } from '../domain/permissions.ts';
import { attempt } from '../http/attempt.server.ts';
import { signedIn } from '../http/screen.server.ts';
import { paths } from '../paths.ts';

export const meta = titled('Aircraft Fleet');

export const loader = signedIn(async ({ actor }) => {
  const fleet = actor.schoolId === null ? Promise.resolve([]) : findFleet(db, actor.schoolId);
  return {
    fleet: await attempt(fleet, 'Failed to fetch aircraft'),
    manages: may(actor.role, 'manage aircraft'),
  };
});

export default function FleetScreen() {
  const { fleet, manages } = useLoaderData<typeof loader>();
  const toAdd = manages && (
    <ButtonLink variant="primary" to={paths.addAircraft}>
      Add New Aircraft
    </ButtonLink>
  );
  return (
    <Screen title="Aircraft Fleet" back actions={toAdd} toast={useToast(undefined)}>
      <Fleet fleet={fleet} />
    </Screen>
  );
}

function Fleet({ fleet }: Pick<Awaited<ReturnType<typeof loader>>, 'fleet'>) {
  if (fleet.value === null) return <Notice tone="danger">{fleet.failure}</Notice>;
  if (fleet.value.length === 0) {
    return <EmptyState text="No aircraft found. Add your first aircraft to get started." />;
  }
  return (
    <CardList>
      {fleet.value.map((aircraft) => (
        <AircraftCard key={aircraft.id} aircraft={aircraft} />
      ))}
    </CardList>
  );
}
