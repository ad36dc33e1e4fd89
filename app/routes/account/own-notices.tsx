import { Card } from '#app/ui/card.tsx';
import { DateTime, type DateTimeText } from '#app/ui/date-time.tsx';

interface NoticeView {
  id: number;
  label: string;
  at: DateTimeText;
  address: string | null;
}

/** Shows what happened to how the user signs in, each of which was mailed to them, too. */
export function OwnNotices({ notices }: { notices: NoticeView[] }) {
  if (notices.length === 0) return null;
  return (
    <Card
      title="Recent Changes"
      subtitle="If one of these was not you, change your password and tell an administrator."
    >
      <ul className="list-rows">
        {notices.map(({ id, label, at, address }) => (
          <li key={id}>
            <h3>{label}</h3>
            <p className="subtitle user-text">
              <DateTime value={at} />
              {address && `, from ${address}`}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
