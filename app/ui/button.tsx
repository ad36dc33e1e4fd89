import type { ComponentProps } from 'react';
import { Link } from './link.tsx';

type ButtonVariant = 'primary' | 'cta' | 'secondary' | 'quiet' | 'danger';

type ButtonProps = Omit<ComponentProps<'button'>, 'className' | 'style'> & { variant?: ButtonVariant };

export function Button({ variant = 'secondary', type = 'submit', ...rest }: ButtonProps) {
  return <button {...rest} type={type} className="button" data-variant={variant} />;
}

type ButtonLinkProps = Omit<ComponentProps<typeof Link>, 'className' | 'style'> & { variant?: ButtonVariant };

/** Never prefetches: private pages are not cached, and a flash message can be read only once. */
export function ButtonLink({ variant = 'secondary', ...rest }: ButtonLinkProps) {
  return <Link {...rest} className="button" data-variant={variant} />;
}
