import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { paths } from '#app/paths.ts';

export function OwnData() {
  return (
    <Card
      title="Your Data"
      actions={
        <ButtonLink to={paths.ownData} reloadDocument download>
          Download Your Data
        </ButtonLink>
      }
    >
      <p>One zip file: profile, sessions, flights, scans with their photos, squawks, drafts and events.</p>
    </Card>
  );
}
