import { ButtonLink } from './button.tsx';

export function Pager({ olderHref, newerHref }: { olderHref?: string | null; newerHref?: string | null }) {
  if (!olderHref && !newerHref) return null;
  return (
    <nav className="pager" aria-label="Pages">
      {newerHref && (
        <ButtonLink to={newerHref} rel="prev">
          Newer
        </ButtonLink>
      )}
      {olderHref && (
        <ButtonLink to={olderHref} rel="next">
          Older
        </ButtonLink>
      )}
    </nav>
  );
}
