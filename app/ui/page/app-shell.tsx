import type { ReactNode } from 'react';
import { useMatches, useNavigation } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { JumpButton } from './jump-button.tsx';
import { DeviceStatus } from './device-status.tsx';
import { LogoutForm } from './logout-form.tsx';
import { MainNavigation } from './main-navigation.tsx';
import { ProductLogo } from './product-logo.tsx';
import { SendingNotice } from '../forms/kept/sending-notice.tsx';
import { Spinner } from '../spinner.tsx';
import { RemovalNotice } from './removal-notice.tsx';
import { useKeyDialogs } from './use-key-dialogs.tsx';
import { useFocusAfterNavigation } from '../hooks/use-focus-after-navigation.ts';

export interface Viewer {
  id: number;
  isOnSharedComputer: boolean;
  singleKeys: boolean;
  toMaintain: number;
  managesSchool: boolean;
  isHeldUp: boolean;
  /** Day when the school is deleted, for administrators, who can call it off until then. */
  schoolRemovedOn: string | null;
  /** Owner of the pages and unsent forms that this device may keep; null on a shared computer. */
  deviceOwner: string | null;
}

interface AppShellProps {
  productName: string;
  viewer: Viewer | null;
  children: ReactNode;
}

/** Marks a route, as its `handle`, whose screen has its own Logout beside the reason for it. */
export const OWN_LOGOUT = { hasLogout: true };

export function AppShell({ productName, viewer, children }: AppShellProps) {
  const { state } = useNavigation();
  const hasOwnLogout = useMatches().some(({ handle }) => handle === OWN_LOGOUT);
  const isFree = viewer !== null && !viewer.isHeldUp;
  const { openJump, dialog } = useKeyDialogs(isFree && viewer.singleKeys);
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
        {isFree && <MainNavigation toMaintain={viewer.toMaintain} managesSchool={viewer.managesSchool} />}
        {isFree && <JumpButton onClick={openJump} />}
        {viewer && !hasOwnLogout && <LogoutForm />}
      </header>
      {state !== 'idle' && <Spinner />}
      <SendingNotice />
      <main id="main" tabIndex={-1}>
        <DeviceStatus owner={viewer?.deviceOwner ?? null} isSignedIn={viewer !== null} />
        {viewer?.schoolRemovedOn && <RemovalNotice on={viewer.schoolRemovedOn} />}
        {children}
      </main>
      {dialog}
    </>
  );
}
