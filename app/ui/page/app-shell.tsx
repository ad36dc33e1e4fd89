import type { ReactNode } from 'react';
import { Link, useMatches, useNavigation } from '@remix-run/react';
import { paths } from '#app/paths.ts';
import { DeviceStatus } from './device-status.tsx';
import { LogoutForm } from './logout-form.tsx';
import { MainNavigation } from './main-navigation.tsx';
import { ProductLogo } from './product-logo.tsx';
import { SingleKeys } from './single-keys.tsx';
import { Spinner } from '../spinner.tsx';
import { useFocusAfterNavigation } from '../hooks/use-focus-after-navigation.ts';

/** Who is signed in, as far as every page needs to know. */
export interface Viewer {
  singleKeys: boolean;
  /** Has to add a second factor first. */
  isHeldUp: boolean;
  /** Whose pages and unsent forms this device may keep; null on a shared computer. */
  deviceOwner: string | null;
}

interface AppShellProps {
  productName: string;
  viewer: Viewer | null;
  children: ReactNode;
}

/** The `handle` of a route whose screen has its own Logout beside the reason for it. */
export const OWN_LOGOUT = { hasLogout: true };

export function AppShell({ productName, viewer, children }: AppShellProps) {
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
        {viewer && !viewer.isHeldUp && <MainNavigation />}
        {viewer && !hasOwnLogout && <LogoutForm />}
      </header>
      {state !== 'idle' && <Spinner />}
      <main id="main" tabIndex={-1}>
        <DeviceStatus viewer={viewer} />
        {children}
      </main>
      {viewer?.singleKeys && !viewer.isHeldUp && <SingleKeys />}
    </>
  );
}
