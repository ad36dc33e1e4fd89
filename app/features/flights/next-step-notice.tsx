import { ButtonLink, Notice } from '#app/ui/elements.tsx';
import type { NextStepView } from './next-steps.server.ts';

/** Says why there is no form here, and leads to what comes first. */
export function NextStepNotice({ text, to, label }: NextStepView) {
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
