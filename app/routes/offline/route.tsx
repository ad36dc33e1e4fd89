import { paths } from '#app/paths.ts';
import { publicLoader } from '#app/server/screen.server.ts';
import { ButtonLink, Card, Actions } from '#app/ui/elements.tsx';
import { createTitleMeta, Screen } from '#app/ui/page/screen.tsx';

export const loader = publicLoader(async () => null);

export const meta = createTitleMeta('No network');

/** The service worker shows this in place of a page that neither comes nor is kept. */
export default function NoNetwork() {
  return (
    <Screen title="No network" showBackLink width="form">
      <Card>
        <p>This page is not kept on this device. What was typed elsewhere is still there.</p>
        <Actions>
          <ButtonLink variant="primary" to={paths.checkOut} reloadDocument>
            Check Out
          </ButtonLink>
          <ButtonLink to={paths.ownFlights} reloadDocument>
            Your last flights
          </ButtonLink>
        </Actions>
      </Card>
    </Screen>
  );
}
