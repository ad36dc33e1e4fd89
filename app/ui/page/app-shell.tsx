import type { ReactNode } from 'react';
import { Link, useMatches, useNavigation } from '@remix-run/react';
import { paths } from '#app/paths.ts';
import { LogoutForm } from './logout-form.tsx';
import { ProductLogo } from './product-logo.tsx';
import { Spinner } from '../spinner.tsx';
import { useFocusAfterNavigation } from '../hooks/use-focus-after-navigation.ts';

interface AppShellProps {
  productName: string;
  isSignedIn: boolean;
  children: ReactNode;
}

/** The `handle` of a route whose screen has its own Logout beside the reason for it. */
export const OWN_LOGOUT = { hasLogout: true };

export function AppShell({ productName, isSignedIn, children }: AppShellProps) {
  const { state } = useNavigation();
  const hasOwnLogout = useMatches().some(({ handle }) => handle === OWN_LOGOUT);
  useFocusAfterNavigation();
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to main content
      </a>
      <header className="site-header">
        <Link className="site-header-link" to={paths.dashboard}>
          <ProductLogo />
          <span>{productName}</span>
        </Link>
        {isSignedIn && (
          <Link className="site-header-account" to={paths.account}>
            Account
          </Link>
        )}
        {isSignedIn && !hasOwnLogout && <LogoutForm />}
      </header>
      {state !== 'idle' && <Spinner />}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
