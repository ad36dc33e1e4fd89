import { Link } from '#app/ui/link.tsx';

/** Links to what is two presses away from the dashboard through this page. */
export function LinkList({ links }: { links: { to: string; text: string }[] }) {
  return (
    <ul className="note-list">
      {links.map(({ to, text }) => (
        <li key={to} className="user-text">
          <Link className="text-link" to={to}>
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}
