import { ButtonLink, Card } from '#app/ui/elements.tsx';
import { paths } from '#app/paths.ts';
import { Link } from '#app/ui/link.tsx';

export function MoveOut({ isExported }: { isExported: boolean }) {
  return (
    <Card
      title="Everything of this school"
      actions={
        <>
          <ButtonLink to={paths.exportSchool}>Export Everything</ButtonLink>
          {isExported && <ButtonLink to={paths.removeSchool}>Delete This School</ButtonLink>}
        </>
      }
    >
      <p>People, aircraft, flights, photos and events in one zip file, to keep or to move with.</p>
    </Card>
  );
}

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
