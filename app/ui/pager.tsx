import { ButtonLink } from './button.tsx';

/** Plain links through a list, newest first (C45); a missing side has no link. */
export function Pager({
  olderHref: older,
  newerHref: newer,
}: {
  olderHref?: string | null;
  newerHref?: string | null;
}) {
  if (!older && !newer) return null;
  return (
    <nav className="pager" aria-label="Pages">
      {newer && (
        <ButtonLink to={newer} rel="prev">
          Newer
        </ButtonLink>
      )}
      {older && (
        <ButtonLink to={older} rel="next">
          Older
        </ButtonLink>
      )}
    </nav>
  );
}
