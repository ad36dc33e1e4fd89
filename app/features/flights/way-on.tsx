import { ButtonLink, Notice } from '#app/ui/elements.tsx';
import type { WayOnView } from './ways-on.server.ts';

/** Says why there is no form here, and leads to what comes first. */
export function WayOn({ text, to, label }: WayOnView) {
  const link = to && (
    <ButtonLink variant="cta" to={to}>
      {label}
    </ButtonLink>
  );
  return (
    <Notice tone="caution" action={link}>
      {text}
    </Notice>
  );
}
