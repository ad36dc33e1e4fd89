import { useEffect, useRef } from 'react';
import { ButtonLink } from './button.tsx';

interface NeighbourLinksProps {
  /** What they lead to, as 'flight'. */
  noun: string;
  newerHref: string | null;
  olderHref: string | null;
}

/** From one entry of a list to the ones beside it, newest first; with script the arrow keys follow the same links. */
export function NeighbourLinks({ noun, newerHref: newer, olderHref: older }: NeighbourLinksProps) {
  const nav = useRef<HTMLElement>(null);

  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
      const rel = { ArrowLeft: 'prev', ArrowRight: 'next' }[event.key];
      if (rel) nav.current?.querySelector<HTMLElement>(`a[rel=${rel}]`)?.click();
    };
    document.addEventListener('keydown', follow);
    return () => document.removeEventListener('keydown', follow);
  }, []);

  if (!newer && !older) return null;
  return (
    <nav ref={nav} className="pager" aria-label={`Neighbouring ${noun}s`}>
      {newer && (
        <ButtonLink to={newer} rel="prev" aria-keyshortcuts="ArrowLeft" replace preventScrollReset>
          {`Newer ${noun}`}
        </ButtonLink>
      )}
      {older && (
        <ButtonLink to={older} rel="next" aria-keyshortcuts="ArrowRight" replace preventScrollReset>
          {`Older ${noun}`}
        </ButtonLink>
      )}
    </nav>
  );
}
