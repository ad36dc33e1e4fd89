import { type ReactNode, type FormEvent, useEffect } from 'react';
import { useMatches, useNavigation, Form, useLocation } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { DeviceStatus } from './device-status.tsx';
import { LogoutForm } from './logout-form.tsx';
import { MainNavigation } from './main-navigation.tsx';
import { ProductLogo } from './product-logo.tsx';
import { SendingNotice } from '../forms/kept/sending-notice.tsx';
import { useKeyDialogs } from './use-key-dialogs.tsx';
import { Notice } from '../elements.tsx';

export interface Viewer {
  id: number;
  isOnSharedComputer: boolean;
  timeZone: string;
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
        {isFree && <JumpButton onOpen={openJump} />}
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

/** Opens the jump box; without script it leads to the page that searches. */
function JumpButton({ onOpen }: { onOpen: (event: FormEvent) => void }) {
  return (
    <Form action={paths.search} onSubmit={onOpen}>
      <button type="submit" className="button jump-button" aria-label="Jump">
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
          <circle cx="10" cy="10" r="6" />
          <path d="M14.5 14.5 21 21" />
        </svg>
      </button>
    </Form>
  );
}

/** Stands on every page of an administrator, until the school is deleted or that is called off. */
function RemovalNotice({ on }: { on: string }) {
  return (
    <Notice tone="danger">
      This school and everything in it is deleted on {on}. <Link to={paths.removeSchool}>Keep the school</Link>
    </Notice>
  );
}

function Spinner() {
  return (
    <div className="spinner" role="status">
      <span className="spinner-ring" aria-hidden="true" />
      Loading
    </div>
  );
}

/** The variable outlives the components, which an error page replaces. It is undefined until the first load. */
let lastScreen: string | undefined;

/** Moves the focus to the errors or title of a new screen, as loading a document would, or when the focused element is gone. */
export function useFocusAfterNavigation(): void {
  const { pathname, search, key } = useLocation();
  const { state } = useNavigation();
  const screen = `${pathname}#${new URLSearchParams(search).get('step') ?? '0'}`;

  useEffect(() => {
    if (state !== 'idle') return;
    const isNewScreen = lastScreen !== undefined && lastScreen !== screen;
    const isFocusLost = lastScreen !== undefined && document.activeElement === document.body;
    lastScreen = screen;
    const start = document.querySelector<HTMLElement>('main :is(.error-summary h2, h1)');
    if (isNewScreen || isFocusLost) start?.focus({ preventScroll: true });
  }, [state, screen, key]);
}
