import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** Shows the link once: only its hash is stored. */
export function NewCalendarLink({ aircraftId, link }: { aircraftId: number; link: string }) {
  return (
    <Card title="Your Calendar Link" actions={<ButtonLink to={paths.aircraft(aircraftId)}>I have kept it</ButtonLink>}>
      <Notice tone="caution">
        Copy this link now; it is not shown again. Who has it sees what you may see of this aircraft's flights and due
        dates, without a password.
      </Notice>
      <p>
        <code className="secret">{link}</code>
      </p>
      <p>
        Give it to your calendar as a calendar from the internet, by its address. It ends with your password, or when
        you sign out everywhere.
      </p>
    </Card>
  );
}
