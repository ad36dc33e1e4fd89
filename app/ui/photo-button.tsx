import type { ComponentProps } from 'react';
import { Button } from './elements.tsx';

interface PhotoButtonProps extends Omit<ComponentProps<typeof Button>, 'children'> {
  name: string;
  /** Name of the photo, since a form has one button for each meter. */
  label: string;
}

export function PhotoButton({ name, label, ...rest }: PhotoButtonProps) {
  return (
    <Button {...rest} type="button" aria-description={label}>
      <svg viewBox="0 0 24 20" width={32} height={27} aria-hidden="true">
        <path d="M2 4h5l2-3h6l2 3h5v15H2z" fill="none" stroke="currentColor" strokeWidth={2} strokeLinejoin="round" />
        <circle cx={12} cy={11} r={4} fill="none" stroke="currentColor" strokeWidth={2} />
      </svg>
      <span className="visually-hidden">{name}</span>
    </Button>
  );
}
