import type { ComponentProps } from 'react';
import { Link } from '@remix-run/react';

/** 'cta' is the green call to action of check-out and check-in; 'quiet' stands back beside another button. */
export type ButtonVariant = 'primary' | 'cta' | 'secondary' | 'quiet' | 'danger';

type ButtonProps = Omit<ComponentProps<'button'>, 'className' | 'style'> & { variant?: ButtonVariant };

/** A button; inside a form it submits unless `type` says otherwise. `<Button name="intent" value="use-last">…</Button>` */
export function Button({ variant = 'secondary', type = 'submit', ...rest }: ButtonProps) {
  return <button {...rest} type={type} className="button" data-variant={variant} />;
}

type ButtonLinkProps = Omit<ComponentProps<typeof Link>, 'className' | 'style'> & { variant?: ButtonVariant };

/**
 * A link that looks like a button. It does not prefetch: private pages are not stored, and a flash is read once.
 * A download takes `reloadDocument`, so that the browser and not the router follows it.
 */
export function ButtonLink({ variant = 'secondary', ...rest }: ButtonLinkProps) {
  return <Link {...rest} className="button" data-variant={variant} />;
}
