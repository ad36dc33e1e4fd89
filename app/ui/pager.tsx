import { ButtonLink } from './elements.tsx';

interface PagerProps {
  olderHref?: string | null;
  newerHref?: string | null;
  labels?: { newer: string; older: string };
}

const BY_TIME = { newer: 'Newer', older: 'Older' };

export function Pager({ olderHref, newerHref, labels = BY_TIME }: PagerProps) {
  if (!olderHref && !newerHref) return null;
  return (
    <nav className="pager" aria-label="Pages">
      {newerHref && (
        <ButtonLink to={newerHref} rel="prev">
          {labels.newer}
        </ButtonLink>
      )}
      {olderHref && (
        <ButtonLink to={olderHref} rel="next">
          {labels.older}
        </ButtonLink>
      )}
    </nav>
  );
}
