import { paths } from '#app/paths.ts';
import { Secret, ShownOnce } from '#app/ui/page/shown-once.tsx';

export function NewCalendarLink({ aircraftId, link }: { aircraftId: number; link: string }) {
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
