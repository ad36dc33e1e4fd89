import { Link } from '#app/ui/link.tsx';
import type { ReactNode } from 'react';
import { paths } from '#app/paths.ts';
import { DateTime } from '#app/ui/elements.tsx';
import { SquawkBadges } from './squawk-badges.tsx';
import type { SquawkView } from './squawk-view.server.ts';

interface SquawkListProps {
  squawks: SquawkView[];
  actionFor?: (squawk: SquawkView) => ReactNode;
}

export function SquawkList({ squawks, actionFor }: SquawkListProps) {
  if (squawks.length === 0) return null;
  return (
    <ul className="note-list">
      {squawks.map((squawk) => (
        <li key={squawk.id}>
          <SquawkBadges {...squawk} />
          <p className="user-text">{squawk.text}</p>
          <p className="hint">
            {squawk.by}, <DateTime value={squawk.at} />
            {squawk.until && `, deferred ${squawk.until}`}
          </p>
          <div className="actions">
            <Link className="text-link" to={paths.squawk(squawk.id)}>
              Details<span className="visually-hidden">{` of the squawk of ${squawk.by}, ${squawk.at.text}`}</span>
              {photosText(squawk.photos.length)}
            </Link>
            {actionFor?.(squawk)}
          </div>
        </li>
      ))}
    </ul>
  );
}

function photosText(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ', 1 photo' : `, ${count} photos`;
}
