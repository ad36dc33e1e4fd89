import { Link as RoutedLink } from '@remix-run/react';
import type { ComponentProps } from 'react';

type LinkProps = Omit<ComponentProps<'a'>, 'href'> &
  Pick<ComponentProps<typeof RoutedLink>, 'reloadDocument' | 'preventScrollReset' | 'replace'> & { to: string };

/** Remix's Link; on the server the element that it makes of an absolute path, since its look at the routes is a tenth of a page. */
export function Link({ to, reloadDocument, preventScrollReset, replace, children, ...rest }: LinkProps) {
  const isPlain = import.meta.env.SSR && to.startsWith('/');
  return isPlain ? (
    <a {...rest} data-discover={reloadDocument ? undefined : 'true'} href={to}>
      {children}
    </a>
  ) : (
    <RoutedLink {...rest} {...{ to, reloadDocument, preventScrollReset, replace }}>
      {children}
    </RoutedLink>
  );
}
