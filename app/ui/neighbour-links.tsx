import { useEffect, useRef } from 'react';
import { ButtonLink } from './elements.tsx';

interface NeighbourLinksProps {
  noun: string;
  newerHref: string | null;
  olderHref: string | null;
}

/** Links to the previous and next item of a list, which the arrow keys also follow. */
export function NeighbourLinks({ noun, newerHref, olderHref }: NeighbourLinksProps) {
  const ref = useRef<HTMLElement>(null);

  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
      const rel = { ArrowLeft: 'prev', ArrowRight: 'next' }[event.key];
      if (rel) ref.current?.querySelector<HTMLElement>(`a[rel=${rel}]`)?.click();
    };
    document.addEventListener('keydown', handleKeyDown);
    return () => document.removeEventListener('keydown', handleKeyDown);
  }, []);

  if (!newerHref && !olderHref) return null;
  return (
    <nav ref={ref} className="pager" aria-label={`Neighbouring ${noun}s`}>
      {newerHref && (
        <ButtonLink to={newerHref} rel="prev" aria-keyshortcuts="ArrowLeft" replace preventScrollReset>
          {`Newer ${noun}`}
        </ButtonLink>
      )}
      {olderHref && (
        <ButtonLink to={olderHref} rel="next" aria-keyshortcuts="ArrowRight" replace preventScrollReset>
          {`Older ${noun}`}
        </ButtonLink>
      )}
    </nav>
  );
}
